import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { NotificationView } from '../../../contract/channels/notification.ts'
import type { JobView } from '../../../contract/runs/job.ts'
import { signInAs } from '../../support/access/sign-in.ts'
import { followEvents } from '../../support/webhooks/events.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import { startWebhookEndpoint } from '../../support/webhooks/webhook-endpoint.ts'

const context = useStack()

/** A run that only asks a question. Changes to the question must be published without any other event in the run. */
const question = (more: object) => {
  const review = { id: 'review', type: 'human', kind: 'approval', assignees: ['user:bob'], ...more }
  const ends = ['yes', 'no', 'late'].map(id => ({ id, type: 'end', output: id }))
  return pathway([review, ...ends], 'review.approve > yes', 'review.reject > no', 'review.timeout > late')
}

async function openQuestion(more: object) {
  const jobId = await startRun(context.workspace.client, question({ due: 'PT30S', ...more }))
  const [first] = await asked(context.workspace.client, jobId)
  const id = first?.interventionId ?? ''
  const view = async () => (await context.workspace.client.get<InterventionView>(`/v1/interventions/${id}`)).body
  const waitingFor = async () => {
    const { body } = await context.workspace.client.get<JobView>(`/v1/jobs/${jobId}/status`)
    return (body.waitingFor ?? [])[0]
  }
  return { jobId, id, view, waitingFor }
}

/** Returns the first stream event that reports this change of an intervention while the run keeps waiting. */
async function changeIn(jobId: string, change: string) {
  const stream = await context.workspace.client.sse(`/v1/jobs/${jobId}/stream`, { signal: AbortSignal.timeout(20_000) })
  for await (const { data } of stream) if (data?.type === 'intervention' && data.change === change) return data
  throw new Error(`the stream ended without ${change}`)
}

const remove = (jobId: string) => context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)

describe('a change to a question is published without any other event in its run', () => {
  test('a reminder reaches the stream', async () => {
    const { jobId, id } = await openQuestion({ remind: ['PT1S'] })
    expect(await changeIn(jobId, 'reminded')).toMatchObject({ interventionId: id, key: 'review' })
    expect(await jobWith(context.workspace.client, jobId, 'waiting')).toMatchObject({ current_step: 'review' })
    await remove(jobId)
  })

  test('each reminder reaches the workspace events, its webhooks and the history once', async () => {
    const { client } = context.workspace
    const endpoint = await startWebhookEndpoint()
    const event_types = ['intervention.reminded']
    const { body: hook } = await client.post<{ id: string }>('/v1/webhooks', {
      url: `${endpoint.url}/hook`,
      event_types,
    })
    const reader = await followEvents(client, { types: event_types.join() })
    const { jobId, id, view } = await openQuestion({ remind: ['PT0.5S', 'PT1S'] })
    const isMine = ({ intervention }: { intervention?: { id: string } }) => intervention?.id === id
    await waitUntil(async () => reader.events.filter(isMine).length === 2)
    const subject = { id, job_id: jobId, root_job_id: jobId, kind: 'approval', status: 'open' }
    const reminder = {
      type: 'intervention.reminded',
      intervention: { ...subject, brain_id: context.workspace.brain_id },
    }
    expect(reader.events.filter(isMine)).toMatchObject([reminder, reminder])
    const bodies = await waitUntil(async () => {
      const delivered = endpoint.received.map(({ body }) => JSON.parse(body) as { id: string })
      return delivered.length === 2 && delivered
    })
    const ids = (events: { id?: string }[]) => events.map(event => event.id ?? '').toSorted()
    expect(ids(bodies)).toEqual(ids(reader.events.filter(isMine)))
    expect((await view()).history).toMatchObject([{ change: 'reminded' }, { change: 'reminded' }])
    reader.close()
    await remove(jobId)
    await client.del(`/v1/webhooks/${hook.id}`)
    await endpoint.close()
  })

  test('an escalation reaches the stream, the inbox and waitingFor', async () => {
    const { jobId, id, view, waitingFor } = await openQuestion({ escalate: [{ after: 'PT1S', to: ['group:board'] }] })
    const assignees = ['user:bob', 'group:board']
    expect(await changeIn(jobId, 'escalated')).toMatchObject({ interventionId: id, key: 'review', assignees })
    expect(await view()).toMatchObject({ status: 'open', assignees })
    expect(await waitingFor()).toMatchObject({ assignees })
    const inbox = await context.workspace.client.get<{ data: InterventionView[] }>(
      '/v1/interventions?status=open&assignee=group:board',
    )
    expect(inbox.body.data.map(({ interventionId }) => interventionId)).toEqual([id])
    await remove(jobId)
  })

  test('an escalation without assignees notifies people, and everyone can still answer', async () => {
    const mia = await signInAs(context.stack, context.workspace, 'user:mia', 'reviewer')
    const escalate = [{ after: 'PT1S', to: ['user:mia'] }]
    const { jobId, id, view } = await openQuestion({ assignees: undefined, escalate })
    expect(await changeIn(jobId, 'escalated')).toMatchObject({ assignees: [] })
    expect(await view()).toMatchObject({ status: 'open', assignees: [] })
    const [notification] = await waitUntil(async () => {
      const { body } = await mia.send('GET', '/v1/notifications')
      const { data } = body as unknown as { data: NotificationView[] }
      return data.length > 0 && data
    })
    expect(notification).toMatchObject({ type: 'intervention.escalated', intervention_id: id })
    const bob = await context.workspace.as('user:bob')
    expect((await answer(bob, context.workspace.id, jobId, id, { action: 'approve' })).body.decided).toBe(true)
  })

  test('a chain of escalations adds the people for each step in order', async () => {
    const chain = [
      { after: 'PT0.5S', to: ['group:board'] },
      { after: 'PT1S', to: ['user:cfo'] },
    ]
    const { jobId, view } = await openQuestion({ escalate: chain })
    const steps = [
      ['user:bob', 'group:board'],
      ['user:bob', 'group:board', 'user:cfo'],
    ]
    await waitUntil(async () => (await view()).assignees.includes('user:cfo'))
    const { assignees, history = [] } = await view()
    expect(assignees).toEqual(steps[1])
    expect(history).toMatchObject(steps.map(step => ({ change: 'escalated', assignees: step })))
    await remove(jobId)
  })

  test('the first vote towards a quorum reaches the stream, the inbox and waitingFor', async () => {
    const { jobId, id, view, waitingFor } = await openQuestion({ quorum: 2, assignees: ['user:bob', 'user:eve'] })
    expect(await waitingFor()).toMatchObject({ quorum: 2, approvals: 0 })
    const bob = await context.workspace.as('user:bob')
    const sentAnswer = { action: 'approve', comment: 'fine with me' }
    expect((await answer(bob, context.workspace.id, jobId, id, sentAnswer)).body).toMatchObject({
      decided: false,
      approvals: 1,
    })
    expect(await changeIn(jobId, 'answered')).toMatchObject({ by: 'user:bob', action: 'approve', decided: false })
    expect(await view()).toMatchObject({ status: 'open', approvals: 1, votes: [{ by: 'user:bob', ...sentAnswer }] })
    expect(await waitingFor()).toMatchObject({ quorum: 2, approvals: 1 })
    await remove(jobId)
  })

  test('the due time closes the question, and the next node can ask others', async () => {
    const call = { id: 'call', type: 'http', with: { method: 'POST', url: `${context.ledger.url}/late` } }
    const review = { id: 'review', type: 'human', kind: 'approval', due: 'PT1S', remind: ['PT0.5S'] }
    const ends = ['yes', 'no'].map(id => ({ id, type: 'end' }))
    const nodes = [review, ...ends, call, { id: 'done', type: 'end', output: '${nodes.call.output.status}' }]
    const ways = ['review.approve > yes', 'review.reject > no', 'review.timeout > call', 'call > done']
    const jobId = await startRun(context.workspace.client, pathway(nodes, ...ways))
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({ status: 'completed', result: 200 })
    const events = (await readEvents(context.workspace.client, jobId)).map(({ data }) => data)
    const changes = events.flatMap(event => (event.type === 'intervention' ? [event.change] : []))
    expect(changes).toEqual(['opened', 'reminded', 'timed_out'])
  })

  test('due times, reminders, escalations and quorums may come from data', async () => {
    const more = {
      assignees: ['user:bob', 'user:eve'],
      due: '${input.due}',
      remind: ['${input.soon}'],
      escalate: [{ after: '${input.soon}', to: ['${input.boss}'] }],
      quorum: '${input.needed}',
    }
    const input = { due: '2099-01-01T00:00:00Z', soon: 'PT0.5S', boss: 'group:board', needed: 2 }
    const jobId = await startRun(context.workspace.client, question(more), input)
    const assignees = ['user:bob', 'user:eve', 'group:board']
    expect(await changeIn(jobId, 'escalated')).toMatchObject({ assignees })
    expect(await asked(context.workspace.client, jobId)).toMatchObject([
      { due_at: '2099-01-01T00:00:00.000Z', quorum: 2, assignees },
    ])
    await remove(jobId)
    for (const wrong of [{ due: 'soon' }, { soon: 5 }, { boss: 'boss' }, { needed: 0 }]) {
      const failing = await startRun(context.workspace.client, question(more), { ...input, ...wrong })
      const { error } = await jobWith(context.workspace.client, failing)
      expect(error?.message).toMatch(/must be/)
    }
  })

  test('a cancel closes the question', async () => {
    const { jobId, id, view } = await openQuestion({})
    await remove(jobId)
    expect(await view()).toMatchObject({ interventionId: id, status: 'cancelled' })
  })

  test('a change in a child run reaches waitingFor in its parent run', async () => {
    await context.workspace.client.post('/v1/pathways', {
      title: 'Asks',
      slug: 'asks',
      definition: question({ escalate: [{ after: 'PT1S', to: ['group:board'] }], due: 'PT30S' }),
    })
    const jobId = await startRun(
      context.workspace.client,
      pathway([{ id: 'inner', type: 'pathway', ref: 'asks', with: {} }]),
    )
    expect(await jobWith(context.workspace.client, jobId, 'waiting')).toMatchObject({ current_step: 'inner' })
    const assignees = ['user:bob', 'group:board']
    await waitUntil(async () => {
      const { body } = await context.workspace.client.get<JobView>(`/v1/jobs/${jobId}/status`)
      const [first] = body.waitingFor ?? []
      return JSON.stringify(first?.assignees) === JSON.stringify(assignees)
    })
    await remove(jobId)
  })
})
