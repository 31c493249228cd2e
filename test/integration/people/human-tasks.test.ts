import type { ApiClient } from '../../support/clients/client.ts'
import { followEvents } from '../../support/webhooks/events.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import type { BulkAnswersReply } from '../../../contract/people/bulk-answers.ts'
import type { InterventionView } from '../../../contract/people/intervention.ts'

const context = useStack()

interface TaskAnswer {
  code?: string
  message?: string
  revision?: number
  assignees?: string[]
  claimed_by?: string
}

const question = (more: object) =>
  pathway(
    [
      { id: 'review', type: 'human', kind: 'approval', ...more },
      { id: 'yes', type: 'end', output: 'yes' },
      { id: 'no', type: 'end', output: 'no' },
    ],
    'review.approve > yes',
    'review.reject > no',
  )

async function ask(more: object) {
  const { client, id: workspaceId } = context.workspace
  const jobId = await startRun(client, question(more))
  const [first] = await asked(client, jobId)
  const id = first?.interventionId ?? ''
  const act = (by: ApiClient, verb: string, body?: object) =>
    by.post<TaskAnswer>(`/v1/interventions/${id}/${verb}`, body)
  const read = async () => (await client.get<InterventionView>(`/v1/interventions/${id}`)).body
  return {
    jobId,
    id,
    act,
    read,
    approve: (by: ApiClient) => answer(by, workspaceId, jobId, id, { action: 'approve' }),
    /** Polls until the record has reached the revision. */
    atRevision: (revision: number) =>
      waitUntil(async () => {
        const found = await read()
        return found.revision >= revision && found
      }),
  }
}

test('a claimed task accepts answers only from its claimant until it is released', async () => {
  const [bob, eve] = await Promise.all([context.workspace.as('user:bob'), context.workspace.as('user:eve')])
  const task = await ask({ assignees: ['user:bob', 'user:eve'] })
  expect((await task.act(bob, 'claim')).body).toMatchObject({ revision: 1, claimed_by: 'user:bob' })
  expect((await task.act(bob, 'claim')).body).toMatchObject({ revision: 1, claimed_by: 'user:bob' })
  for (const refused of [await task.approve(eve), await task.act(eve, 'claim'), await task.act(eve, 'release')])
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'CLAIMED', message: expect.stringContaining('claimed by user:bob at ') },
    })
  await task.atRevision(1)
  const inbox = (of: ApiClient) =>
    of.get<{ data: InterventionView[] }>(`/v1/interventions?mine=true&job_id=${task.jobId}`)
  expect((await inbox(bob)).body.data).toMatchObject([{ claimed_by: 'user:bob' }])
  expect((await inbox(eve)).body.data).toEqual([])
  expect((await task.act(bob, 'release')).body).toMatchObject({ revision: 2 })
  expect(await task.approve(eve)).toMatchObject({ status: 200, body: { decided: true, by: 'user:eve' } })
  await jobWith(context.workspace.client, task.jobId)
  expect((await task.act(bob, 'claim')).status).toBe(400)
})

test('a delegation transfers one right to answer, and quorum and four-eyes rules apply to the delegates', async () => {
  const { workspace } = context
  const [bob, eve, cfo] = await Promise.all(['user:bob', 'user:eve', 'user:cfo'].map(name => workspace.as(name)))
  if (!bob || !eve || !cfo) throw new Error('no clients')
  const task = await ask({ assignees: ['user:bob', 'user:eve'], quorum: 2, exclude_requester: true })
  const refused = await task.act(bob, 'delegate', { to: 'user:ann' })
  expect(refused).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('user:ann is one of the people behind this run') },
  })
  expect((await task.act(bob, 'delegate', { to: 'user:eve' })).body.message).toContain('the quorum needs 2 more people')
  expect((await task.act(bob, 'delegate', { to: 'user:nobody' })).body).toMatchObject({
    details: [{ pointer: '/to', message: expect.stringContaining('user:nobody') }],
  })
  const delegated = await task.act(bob, 'delegate', { to: 'user:cfo', comment: 'on leave' })
  expect(delegated.body).toMatchObject({ assignees: ['user:eve', 'user:cfo'] })
  expect(await task.approve(bob)).toMatchObject({ status: 403 })
  expect((await task.approve(eve)).body).toMatchObject({ decided: false, approvals: 1 })
  expect((await task.approve(eve)).body).toMatchObject({ decided: false, approvals: 1 })
  expect((await task.approve(cfo)).body).toMatchObject({ decided: true, approvals: 2 })
  expect((await jobWith(workspace.client, task.jobId)).result).toBe('yes')
  expect(await task.read()).toMatchObject({
    delegations: [{ from: 'user:bob', to: 'user:cfo' }],
    history: [{ change: 'delegated', by: 'user:bob', comment: 'on leave' }],
  })
})

test('an operator can reassign a claimed task, and a person who may not decide cannot choose who decides', async () => {
  const { workspace } = context
  const [bob, eve, cfo] = await Promise.all(['user:bob', 'user:eve', 'user:cfo'].map(name => workspace.as(name)))
  if (!bob || !eve || !cfo) throw new Error('no clients')
  const reviewer = await workspace.permittedTo('interventions:read', 'interventions:answer')
  const task = await ask({ assignees: ['user:bob'], exclude_requester: true })
  await task.act(bob, 'claim')
  expect((await task.act(reviewer, 'reassign', { to: ['user:eve'] })).status).toBe(403)
  expect(await task.act(workspace.client, 'reassign', { to: ['user:eve'] })).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('may not choose who decides') },
  })
  const reassigned = await task.act(cfo, 'reassign', { to: ['user:eve'], comment: 'bob is ill' })
  expect(reassigned.body).toMatchObject({ revision: 2, assignees: ['user:eve'] })
  expect(reassigned.body).not.toHaveProperty('claimed_by')
  expect((await task.approve(bob)).status).toBe(403)
  expect((await task.approve(eve)).body).toMatchObject({ decided: true })
})

test('each change and comment creates a workspace event, an audit entry and a history line', async () => {
  const { workspace } = context
  const bob = await workspace.as('user:bob')
  const events = await followEvents(workspace.client, { types: 'intervention.*' })
  const task = await ask({ assignees: ['user:bob'], escalate: [{ after: 'PT4S', to: ['user:eve'] }] })
  await task.act(bob, 'claim')
  expect((await task.act(bob, 'comments', { comment: 'asking the supplier' })).body).toMatchObject({
    change: 'commented',
    by: 'user:bob',
  })
  // An escalation ends the claim, so that the new assignees can answer.
  expect(await task.atRevision(2)).not.toHaveProperty('claimed_by')
  expect((await task.read()).history).toMatchObject([
    { change: 'claimed', by: 'user:bob', assignees: ['user:bob'] },
    { change: 'commented', by: 'user:bob', comment: 'asking the supplier' },
    { change: 'escalated', assignees: ['user:bob', 'user:eve'] },
  ])
  await events.until(({ type }) => type === 'intervention.escalated')
  const mine = events.events.filter(({ intervention }) => (intervention as { id?: string } | undefined)?.id === task.id)
  expect(mine.map(({ type }) => type)).toEqual([
    'intervention.requested',
    'intervention.claimed',
    'intervention.commented',
    'intervention.escalated',
  ])
  events.close()
  const log = await workspace.client.get<{ data: { action: string; actor: string }[] }>(
    `/v1/activity?target_id=${task.id}`,
  )
  expect(log.body.data.map(({ action, actor }) => `${action} by ${actor}`).toSorted()).toEqual([
    'intervention.claim by user:bob',
    'intervention.comment by user:bob',
  ])
  await workspace.client.post(`/v1/jobs/${task.jobId}/cancel`)
})

test("a substitute answers tasks for an absent person, with that person's single vote", async () => {
  const { workspace } = context
  const [dora, sam, eve] = await Promise.all(['user:dora', 'user:sam', 'user:eve'].map(name => workspace.as(name)))
  if (!dora || !sam || !eve) throw new Error('no clients')
  const task = await ask({ assignees: ['user:dora', 'user:eve'], quorum: 2 })
  expect((await task.approve(sam)).status).toBe(403)
  expect((await dora.call('PUT', '/v1/absence', { substitute: 'user:dora' })).status).toBe(400)
  expect((await dora.call('PUT', '/v1/absence', { substitute: 'user:sam' })).body).toMatchObject({
    actor: 'user:dora',
    substitute: 'user:sam',
    ends_at: null,
  })
  expect((await eve.get('/v1/absences')).body).toMatchObject({ data: [{ actor: 'user:dora' }] })
  const mine = `/v1/interventions?mine=true&job_id=${task.jobId}`
  expect((await sam.get<{ data: object[] }>(mine)).body.data).toHaveLength(1)
  expect((await task.approve(sam)).body).toMatchObject({ decided: false, by: 'user:sam' })
  await waitUntil(async () => (await task.read()).votes.length === 1)
  expect((await task.read()).votes).toMatchObject([{ by: 'user:sam', on_behalf_of: 'user:dora' }])
  expect((await dora.del('/v1/absence')).status).toBe(204)
  expect(await task.approve(dora)).toMatchObject({
    status: 403,
    body: { message: 'user:sam already answered for user:dora' },
  })
  expect((await dora.get<{ data: object[] }>(mine)).body.data).toEqual([])
  expect((await task.approve(eve)).body).toMatchObject({ decided: true, approvals: 2 })
})

test('a bulk answer previews each outcome, and answers only the previewed tasks', async () => {
  const { workspace } = context
  const [bob, eve] = await Promise.all([workspace.as('user:bob'), workspace.as('user:eve')])
  const [plain, shared, claimed, others] = await Promise.all([
    ask({ assignees: ['user:bob'] }),
    ask({ assignees: ['user:bob', 'user:eve'], quorum: 2 }),
    ask({ assignees: ['user:bob', 'user:eve'] }),
    ask({ assignees: ['user:eve'] }),
  ])
  await claimed.act(eve, 'claim')
  await claimed.atRevision(1)
  const tasks = [plain, shared, claimed, others]
  const ids = [...tasks.map(({ id }) => id), 'nothing-here']
  const send = async (body: object) =>
    (await bob.post<BulkAnswersReply>('/v1/interventions/answers', { action: 'approve', ...body })).body
  const preview = await send({ items: ids.map(interventionId => ({ interventionId })), dry_run: true })
  const outcomes = (reply: BulkAnswersReply) =>
    reply.results.map(({ outcome, code, decides }) => code ?? [outcome, decides])
  const expected = [['counts', true], ['counts', false], 'CLAIMED', 'FORBIDDEN', 'NOT_FOUND']
  expect(outcomes(preview)).toEqual(expected)
  expect(preview).toMatchObject({ dry_run: true, accepted: 2, refused: 3 })
  expect((await plain.read()).status).toBe('open')
  const [first] = ids
  const twice = await bob.post('/v1/interventions/answers', {
    action: 'approve',
    items: [{ interventionId: first }, { interventionId: first }],
  })
  expect(twice).toMatchObject({ status: 400, body: { details: [{ pointer: '/items/1/interventionId' }] } })
  const unseen = await send({ items: [{ interventionId: plain.id }] })
  expect(unseen.results).toMatchObject([{ outcome: 'refused', code: 'CONFLICT' }])
  const items = preview.results.map(({ interventionId, shown_hash }) => ({ interventionId, shown_hash }))
  expect(outcomes(await send({ items }))).toEqual(expected)
  expect((await jobWith(workspace.client, plain.jobId)).result).toBe('yes')
  await waitUntil(async () => (await shared.read()).votes.length === 1)
  const again = await send({ items: items.slice(0, 2) })
  expect(again.results.map(({ outcome }) => outcome)).toEqual(['repeats', 'repeats'])
  expect((await shared.approve(eve)).body).toMatchObject({ decided: true, approvals: 2 })
  for (const { jobId } of [claimed, others]) await workspace.client.post(`/v1/jobs/${jobId}/cancel`)
})

test('due times count working time in a calendar, which is fixed for the run', async () => {
  const { client } = context.workspace
  const always = Object.fromEntries(
    ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map(day => [day, ['00:00-24:00']]),
  )
  const late = { id: 'late', type: 'end' }
  const { nodes, edges, ...rest } = question({ due: 'PT8H', calendar: 'office' })
  const timed = { ...rest, nodes: [...nodes, late], edges: [...edges, { from: 'review', on: 'timeout', to: 'late' }] }
  const refused = await client.post('/v1/jobs', { pathway: timed })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ pointer: '/pathway/nodes/0/calendar' }] } })
  const today = new Date().toISOString().slice(0, 10)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const office = { name: 'office', time_zone: 'UTC', hours: always, holidays: [today, tomorrow] }
  const admin = await context.workspace.permittedTo('access:manage')
  expect((await admin.call('PUT', '/v1/calendars', office)).status).toBe(200)
  const jobId = await startRun(client, timed)
  const [first] = await asked(client, jobId)
  const midnight = Date.parse(`${tomorrow}T00:00:00Z`) + 86_400_000
  expect(first?.due_at).toBe(new Date(midnight + 8 * 3_600_000).toISOString())
  expect((await admin.del('/v1/calendars/office')).status).toBe(204)
  await client.post(`/v1/jobs/${jobId}/cancel`)
})
