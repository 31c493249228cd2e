import { randomUUID } from 'node:crypto'
import type { Evidence } from '../../../contract/people/evidence.ts'
import { useAgents } from '../../support/agents/agents.ts'
import { createClient } from '../../support/clients/client.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, jobWith, pathway } from '../../support/runs/runs.ts'
import type { SharedTask } from '../../../contract/access/sharing.ts'

/** Visitors with a share token answer the questions in their own runs, and learn nothing about questions to others. */

const context = useAgents()

interface Said {
  job_id: string
  trace_id: string
  message: string
  code: string
  details?: { pointer: string }[]
}

interface Thread {
  messages: { role: string; text: string; job_id: string }[]
  tasks: SharedTask[]
  open_runs: { job_id: string; status: string }[]
}

type PublicEvent = { type: string; change?: string; status?: string; interventionId?: string; task?: SharedTask }

const visitor = () => createClient(context.stack.baseUrl)
const post = async <T = Said>(path: string, body: object) => {
  const reply = await context.workspace.client.post<T>(path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

const share = async (target: object, fields: object = {}) =>
  (await post<{ id: string; share_token: string }>('/v1/share-tokens', { name: 'door', target, ...fields })).share_token

/** Creates a receptor for the target, with a share token. */
async function open(target: { type: string; ref: string }) {
  const slug = `door-${randomUUID()}`
  await post('/v1/receptors', { slug, title: 'Door', target })
  const t = await share({ type: 'receptor', id: slug })
  const address = `/v1/public/receptors/${context.workspace.slug}/${slug}/invoke`
  const say = (message: string, fields: object = {}, headers: Record<string, string> = {}) =>
    visitor().post<Said>(address, { t, message, ...fields }, { headers })
  return { slug, t, say }
}

async function openPathway(definition: object) {
  return open({ type: 'pathway', ref: (await post<{ id: string }>('/v1/pathways', { title: 'Desk', definition })).id })
}

const read = async (t: string, traceId: string) =>
  (await visitor().get<Thread>(`/v1/public/traces/${traceId}?t=${t}`)).body

/** Waits for the open task in the thread. */
const taskOf = (t: string, traceId: string) =>
  waitUntil(async () => (await read(t, traceId)).tasks.find(({ status }) => status === 'open'))

const send = (t: string, task: { job_id: string; trace_id?: string; interventionId: string }, given: object) =>
  visitor().post<Said & { decided: boolean }>(`/v1/public/jobs/${task.job_id}/input`, {
    t,
    trace: task.trace_id,
    input: { type: 'intervention_response', interventionId: task.interventionId, ...given },
  })

/** Returns the events in the public stream up to the first one that matches. */
async function follow(path: string, isLast: (event: PublicEvent) => boolean) {
  const events: { id: string; data: PublicEvent }[] = []
  const stream = await visitor().sse<PublicEvent>(path)
  for await (const { id = '', data } of stream) {
    if (data) events.push({ id, data })
    if (data && isLast(data)) break
  }
  return events
}

describe("an agent that asks in a visitor's thread", () => {
  const QUESTION = 'Which gate do you mean?'
  let door: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    await post('/v1/reflexes', { title: 'Visitors', slug: 'asks', source: 'builtin', tools: [{ name: 'ask_human' }] })
    await context.neuron({ slug: 'porter', neuron_type: 'agent', tools: [{ reflex: 'asks' }] })
    context.plays(
      'the gate',
      { calls: [{ name: 'ask_human', args: { question: QUESTION } }] },
      { tokens: ['The north gate opens at nine.'] },
    )
    context.plays('thank you', { tokens: ['You are welcome.'] })
    door = await open({ type: 'neuron', ref: 'porter' })
  })

  const ask = async () => {
    const { status, body } = await door.say('When does the gate open?')
    expect(status).toBe(202)
    return { ...body, task: await taskOf(door.t, body.trace_id) }
  }

  test('asks the visitor in the stream and in the thread, even after a reload', async () => {
    const { job_id, trace_id, task } = await ask()
    expect(task).toMatchObject({
      job_id,
      kind: 'questions',
      title: QUESTION,
      questions: [{ id: 'answer', text: QUESTION }],
      actions: ['answer_questions', 'decline_questions'],
    })
    const stream = `/v1/public/jobs/${job_id}/stream?t=${door.t}&trace=${trace_id}`
    const before = await follow(stream, ({ status }) => status === 'waiting')
    const opened = before.find(({ data }) => data.type === 'task')
    expect(opened?.data).toMatchObject({ change: 'opened', task: { title: QUESTION, questions: task.questions } })
    expect(
      await send(door.t, { ...task, trace_id }, { action: 'answer_questions', answers: { answer: 'North' } }),
    ).toEqual(expect.objectContaining({ status: 200, body: expect.objectContaining({ decided: true, job_id }) }))
    const after = await follow(`${stream}&after=${opened?.id ?? ''}`, ({ type }) => type === 'complete')
    expect(after.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ type: 'task', change: 'closed', interventionId: task.interventionId }),
    )
    const thread = await read(door.t, trace_id)
    expect(thread.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'When does the gate open?'],
      ['assistant', 'The north gate opens at nine.'],
    ])
    expect(thread).toMatchObject({
      tasks: [{ status: 'answered', answer: { action: 'answer_questions', answers: { answer: 'North' } } }],
      open_runs: [],
    })
  })

  test('asks no member, and its evidence identifies the visitor', async () => {
    const { job_id, trace_id, task } = await ask()
    const [waiting] = await asked(context.workspace.client, job_id)
    const [name = ''] = waiting?.assignees ?? []
    expect(name).toMatch(/^share:/)
    const mine = await context.workspace.client.get<{ data: { interventionId: string }[] }>(
      '/v1/interventions?mine=true',
    )
    expect(mine.body.data.map(({ interventionId }) => interventionId)).not.toContain(task.interventionId)
    const { client, id } = context.workspace
    const given = { action: 'answer_questions', answers: { answer: 'South' } }
    expect(await answer(client, id, job_id, task.interventionId, given)).toMatchObject({ status: 403 })
    expect((await send(door.t, { ...task, trace_id }, given)).status).toBe(200)
    await jobWith(client, job_id)
    const { body } = await client.get<Evidence>(`/v1/interventions/${task.interventionId}/evidence`)
    expect(body.document).toMatchObject({
      decision: { by: name, action: 'answer_questions' },
      run: { trace_id },
      votes: [{ statement: { vote: { by: name } } }],
    })
  })

  test('accepts a new message only after the question is answered, and a repeated request at any time', async () => {
    const key = { 'Idempotency-Key': randomUUID() }
    const first = await door.say('When does the gate open?', {}, key)
    const { trace_id } = first.body
    const task = await taskOf(door.t, trace_id)
    expect(await door.say('When does the gate open?', {}, key)).toMatchObject({ status: 202, body: first.body })
    const more = `/v1/public/traces/${trace_id}`
    for (const refused of [
      await visitor().post<Said>(more, { t: door.t, message: 'thank you' }),
      await door.say('thank you', { trace_id }),
    ])
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', message: expect.stringContaining(task.interventionId) },
      })
    await send(door.t, { ...task, trace_id }, { action: 'decline_questions' })
    const sent = await waitUntil(async () => {
      const reply = await visitor().post<Said>(more, { t: door.t, message: 'thank you' })
      return reply.status === 202 && reply
    })
    await jobWith(context.workspace.client, sent.body.job_id)
    expect((await read(door.t, trace_id)).messages.at(-1)?.text).toBe('You are welcome.')
  })

  test('rejects answers from other tokens and threads, invalid answers and second answers', async () => {
    const { job_id, trace_id, task } = await ask()
    const other = await ask()
    const given = { action: 'answer_questions', answers: { answer: 'North' } }
    const second = await share({ type: 'receptor', id: door.slug })
    const reader = await share({ type: 'receptor', id: door.slug }, { rights: ['read'] })
    const soon = await share(
      { type: 'receptor', id: door.slug },
      { expires_at: new Date(Date.now() + 1_000).toISOString() },
    )
    const at = { ...task, trace_id }
    const { interventionId } = other.task
    expect((await send(second, at, given)).status).toBe(404)
    expect((await send(reader, at, given)).status).toBe(403)
    expect((await send(door.t.slice(0, -1), at, given)).status).toBe(401)
    expect((await send('', at, given)).status).toBe(401)
    expect((await send(door.t, { ...at, trace_id: other.trace_id }, given)).status).toBe(404)
    expect((await send(door.t, { ...at, interventionId }, given)).status).toBe(404)
    expect((await send(door.t, { job_id: other.job_id, trace_id, interventionId }, given)).status).toBe(404)
    expect(await send(door.t, task, given)).toMatchObject({ status: 400, body: { details: [{ pointer: '/trace' }] } })
    await waitUntil(async () => (await send(soon, at, given)).status === 401)
    expect(await send(door.t, at, { action: 'approve' })).toMatchObject({
      status: 400,
      body: { details: [{ pointer: '/input/action' }] },
    })
    expect(await send(door.t, at, given)).toMatchObject({ status: 200 })
    expect(await send(door.t, at, given)).toMatchObject({ status: 200, body: { decided: true } })
    expect(await send(door.t, at, { ...given, answers: { answer: 'South' } })).toMatchObject({ status: 409 })
    await jobWith(context.workspace.client, job_id)
    expect(await send(door.t, at, { action: 'decline_questions' })).toMatchObject({ status: 409 })
    await send(door.t, { ...other.task, trace_id: other.trace_id }, { action: 'decline_questions' })
  })
})

describe('a pathway started by a visitor', () => {
  const FORM = {
    id: 'details',
    type: 'human',
    kind: 'form',
    title: 'Your claim',
    assignees: ['${run.requester}'],
    form: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  }
  const REVIEW = { id: 'review', type: 'human', kind: 'approval', title: 'Secret review', assignees: ['user:ann'] }
  const OFFER = {
    id: 'offer',
    type: 'human',
    kind: 'approval',
    title: 'Do you accept?',
    assignees: ['${run.requester}'],
  }

  test('asks for a form, waits for the team, and asks for an approval, each from the right people', async () => {
    const end = { id: 'z', type: 'end', output: { message: 'Done: ${nodes.details.output.data.amount}' } }
    const edges = [
      'details.submit_input > review',
      'review.approve > offer',
      'review.reject > z',
      'offer.approve > z',
      'offer.reject > z',
    ]
    const door = await openPathway(pathway([FORM, REVIEW, OFFER, end], ...edges))
    const { job_id, trace_id } = (await door.say('I have a claim')).body
    const form = await taskOf(door.t, trace_id)
    expect(form).toMatchObject({ kind: 'form', title: 'Your claim', form: FORM.form, actions: ['submit_input'] })
    const at = { job_id, trace_id, interventionId: form.interventionId }
    expect(await send(door.t, at, { action: 'submit_input', data: { amount: 'ten' } })).toMatchObject({
      status: 400,
      body: { details: [{ pointer: '/input/data/amount' }] },
    })
    expect((await send(door.t, at, { action: 'submit_input', data: { amount: 10 } })).status).toBe(200)
    const review = await waitUntil(async () => {
      const [question] = await asked(context.workspace.client, job_id)
      return question?.node_id === 'review' ? question : undefined
    })
    const thread = await waitUntil(async () => {
      const found = await read(door.t, trace_id)
      return found.open_runs[0]?.status === 'waiting' && found
    })
    expect(thread.tasks.map(({ status, answer: own }) => [status, own?.data])).toEqual([['answered', { amount: 10 }]])
    const approve = { action: 'approve' }
    expect((await send(door.t, { ...at, interventionId: review.interventionId }, approve)).status).toBe(404)
    await answer(context.workspace.client, context.workspace.id, job_id, review.interventionId, approve)
    const offer = await taskOf(door.t, trace_id)
    expect(offer).toMatchObject({ kind: 'approval', title: 'Do you accept?' })
    const stream = `/v1/public/jobs/${job_id}/stream?share=${door.t}&trace=${trace_id}`
    expect((await send(door.t, { ...at, interventionId: offer.interventionId }, approve)).status).toBe(200)
    const events = await follow(stream, ({ type }) => type === 'complete')
    expect(events.flatMap(({ data }) => (data.type === 'task' ? [[data.change, data.interventionId]] : []))).toEqual([
      ['opened', form.interventionId],
      ['closed', form.interventionId],
      ['opened', offer.interventionId],
      ['closed', offer.interventionId],
    ])
    expect(JSON.stringify([events, await read(door.t, trace_id)])).not.toMatch(/Secret review|user:ann|group:/)
    const { nodes } = await jobWith(context.workspace.client, job_id)
    expect(nodes.find(({ node_id }) => node_id === 'details')).toMatchObject({ labels: ['visitor'] })
    expect(nodes.find(({ node_id }) => node_id === 'review')?.labels).toBeUndefined()
  })

  test('asks only members if a node has no assignees', async () => {
    const open = { ...REVIEW, assignees: undefined, kind: 'form', form: FORM.form }
    const door = await openPathway(pathway([open, { id: 'z', type: 'end' }], 'review.submit_input > z'))
    const { job_id, trace_id } = (await door.say('Hello')).body
    const [question] = await asked(context.workspace.client, job_id)
    const { tasks, open_runs } = await read(door.t, trace_id)
    expect({ tasks, open_runs }).toEqual({ tasks: [], open_runs: [{ job_id, status: 'waiting' }] })
    const at = { job_id, trace_id, interventionId: question?.interventionId ?? '' }
    expect((await send(door.t, at, { action: 'submit_input', data: { amount: 1 } })).status).toBe(404)
    // The message is queued until its turn.
    expect((await door.say('More', { trace_id })).status).toBe(202)
  })

  test("also asks in a child run, and the thread's token can answer without the child's id", async () => {
    const child = await post<{ id: string }>('/v1/pathways', {
      title: 'Form',
      definition: pathway(
        [FORM, { id: 'z', type: 'end', output: '${nodes.details.output.data}' }],
        'details.submit_input > z',
      ),
    })
    const parent = { id: 'child', type: 'pathway', ref: child.id }
    const target = pathway([parent, { id: 'z', type: 'end', output: 'done' }], 'child > z')
    const { id } = await post<{ id: string }>('/v1/pathways', { title: 'Outer', definition: target })
    const begun = await post('/v1/chat/new', { pathway: id, message: 'Hello' })
    const [own] = await asked(context.workspace.client, begun.job_id)
    expect(own?.assignees).toEqual(['user:ann'])
    await context.workspace.client.post(`/v1/jobs/${begun.job_id}/cancel`)
    const t = await share({ type: 'trace', id: begun.trace_id })
    const said = await visitor().post<Said>(`/v1/public/traces/${begun.trace_id}`, { t, message: 'And me?' })
    const task = await taskOf(t, begun.trace_id)
    expect(task.job_id).toBe(said.body.job_id)
    expect((await send(t, task, { action: 'submit_input', data: { amount: 1 } })).status).toBe(200)
    const events = await follow(`/v1/public/jobs/${task.job_id}/stream?t=${t}`, ({ type }) => type === 'complete')
    expect(events.at(-1)?.data).toMatchObject({ type: 'complete', result: 'done' })
  })
})

test('a token for one receptor reveals nothing about others', async () => {
  const { slug, t } = await openPathway(pathway([{ id: 'z', type: 'end', output: 'done' }]))
  const other = await openPathway(pathway([{ id: 'z', type: 'end', output: 'done' }]))
  const off = await openPathway(pathway([{ id: 'z', type: 'end', output: 'done' }]))
  await context.workspace.client.patch(`/v1/receptors/${off.slug}`, { is_active: false })
  const elsewhere = await context.stack.workspace({ actor: 'user:eve' })
  const at = (workspace: string, receptor: string) =>
    visitor().post(`/v1/public/receptors/${workspace}/${receptor}/invoke`, { t, message: 'Hello' })
  const { slug: own } = context.workspace
  const refused = await Promise.all([
    at(own, other.slug),
    at(own, off.slug),
    at(own, 'nowhere'),
    at(elsewhere.slug, slug),
    at('nowhere', slug),
  ])
  for (const { status, body } of refused)
    expect({ status, body }).toEqual({ status: 404, body: { code: 'NOT_FOUND', message: 'Receptor does not exist' } })
  // A visitor to a disabled receptor learns that it is disabled.
  expect((await off.say('Hello')).status).toBe(409)
})
