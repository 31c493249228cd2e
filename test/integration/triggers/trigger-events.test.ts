import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, jobWith, pathway } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import type { FiringView } from '../../../contract/triggers/firing.ts'
import type { TriggerView } from '../../../contract/triggers/trigger.ts'

const context = useStack()
let echoId: string

const post = async <T>(path: string, body?: object): Promise<T> => {
  const reply = await context.workspace.client.post<T>(path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

const createPathway = async (title: string, definition: object) =>
  (await post<{ id: string }>('/v1/pathways', { title, definition })).id

/** Accepts any input and returns it. */
const echo = pathway([{ id: 'done', type: 'end', output: '${input}' }])

const createTrigger = (fields: object) =>
  post<TriggerView>('/v1/triggers', {
    title: 'Listens',
    trigger_type: 'event',
    target: { type: 'pathway', ref: echoId },
    input: '${event}',
    ...fields,
  })

const createSkill = async (title: string, path: string) =>
  (await post<{ id: string }>('/v1/skills', { title, path, instructions: 'Be brief.' })).id
const changeSkill = (id: string, instructions: string) =>
  context.workspace.client.patch(`/v1/skills/${id}`, { instructions })

const listFirings = async (id: string): Promise<FiringView[]> =>
  (await context.workspace.client.get<{ data: FiringView[] }>(`/v1/triggers/${id}/runs?limit=100`)).body.data

const untilFirings = (id: string, count: number) =>
  waitUntil(
    async () => {
      const firings = await listFirings(id)
      return firings.length >= count && firings
    },
    undefined,
    async () => `the trigger has not decided ${count} times: ${JSON.stringify(await listFirings(id))}`,
  )

beforeAll(async () => {
  echoId = await createPathway('Echo', echo)
})

test('a change under a path fires the trigger once with its subject, and changes elsewhere do not fire it', async () => {
  const { id } = await createTrigger({ event: { types: ['resource.created', 'resource.updated'], path: '/contracts' } })
  await createSkill('Elsewhere', '/contractsx')
  const skill = await createSkill('Lease', '/contracts/2026')
  const [firing] = await untilFirings(id, 1)
  expect(firing).toMatchObject({
    decision: 'fired',
    source: 'event',
    depth: 0,
    event: {
      type: 'event',
      event_type: 'resource.created',
      resource: { id: skill, type: 'skills', path: '/contracts/2026' },
      merged: 1,
    },
  })
  const job = await jobWith(context.workspace.client, firing?.job_id ?? '')
  expect(job).toMatchObject({ status: 'completed', requester: expect.stringMatching(/^trigger:/), trigger_id: id })
  await changeSkill(skill, 'Changed.')
  await untilFirings(id, 2)
  expect((await listFirings(id)).map(({ event }) => event?.event_type)).toEqual([
    'resource.updated',
    'resource.created',
  ])
})

test('changes to one resource in quick succession are grouped, separately from other resources', async () => {
  const event = { types: ['resource.updated'], path: '/drafts', debounce: { seconds: 1 } }
  const { id } = await createTrigger({ event })
  const [one, other] = await Promise.all([createSkill('One', '/drafts'), createSkill('Other', '/drafts')])
  for (let version = 1; version <= 5; version++) await changeSkill(one, `Version ${version}.`)
  await changeSkill(other, 'Once.')
  const firings = await untilFirings(id, 2)
  const merged = new Map(
    firings.map(({ event }) => [(event as { resource: { id: string } }).resource.id, event?.merged]),
  )
  expect(merged).toEqual(
    new Map([
      [one, 5],
      [other, 1],
    ]),
  )
})

test('runs started by a trigger never fire it again, and a chain of triggers ends', async () => {
  const { client } = context.workspace
  await post('/v1/reflexes', { title: 'Notes', source: 'builtin', tools: [{ name: 'write_artifact' }] })
  const createNote = async (title: string, path: string) =>
    (await post<{ id: string }>('/v1/artifacts', { title, content: 'a', path })).id
  const change = (id: string) =>
    client.post(`/v1/resources/artifacts/${id}/patch`, { content: { replace: `from outside ${randomUUID()}` } })
  /** Creates a trigger that waits for changes in a folder and appends to a note. */
  const createWriter = async (path: string, note: string) => {
    const call = { reflex: 'notes', name: 'write_artifact', args: { id: note, content: 'more' } }
    const definition = pathway([{ id: 'write', type: 'tool', with: call }])
    const target = { type: 'pathway', ref: await createPathway(`Writes for ${path}`, definition) }
    return (await createTrigger({ target, input: {}, event: { types: ['resource.updated'], path } })).id
  }

  const note = await createNote('Note', '/notes')
  const own = await createWriter('/notes', note)
  await change(note)
  expect(await untilFirings(own, 2)).toMatchObject([
    { decision: 'filtered', reason: "The trigger's own run caused the event", job_id: null },
    { decision: 'fired', depth: 0 },
  ])

  const [ping, pong] = [await createNote('Ping', '/ping'), await createNote('Pong', '/pong')]
  const [first, second] = [await createWriter('/ping', pong), await createWriter('/pong', ping)]
  await change(ping)
  const decided = await untilFirings(second, 3)
  expect(decided.map(({ decision, depth }) => [decision, depth])).toEqual([
    ['limited', 5],
    ['fired', 3],
    ['fired', 1],
  ])
  expect((await listFirings(first)).map(({ depth }) => depth)).toEqual([4, 2, 0])
  const { body } = await client.get<TriggerView>(`/v1/triggers/${second}`)
  const reason = 'The event is the result of 5 chained triggers; a chain ends after 5'
  expect(body).toMatchObject({ health: 'over_limit', health_reason: reason })
})

test('finished runs and opened interventions fire triggers according to the filter', async () => {
  const { client } = context.workspace
  const human = { id: 'ask', type: 'human', kind: 'approval', title: 'Fine?' }
  const ends = ['ask.approve > done', 'ask.reject > done']
  const askingPathway = await createPathway('Asks', pathway([human, { id: 'done', type: 'end' }], ...ends))
  const { id: ended } = await createTrigger({
    event: { types: ['job.completed', 'job.failed', 'job.cancelled'] },
    filter: `has(event.job.pathway_id) && event.job.pathway_id == "${askingPathway}"`,
  })
  const { id: opened } = await createTrigger({ event: { types: ['intervention.requested'] } })
  const { job_id } = await post<{ job_id: string }>(`/v1/pathways/${askingPathway}/execute`, {})
  const [request] = await asked(client, job_id)
  const [firing] = await untilFirings(opened, 1)
  expect(firing).toMatchObject({ decision: 'fired', event: { intervention: { job_id, status: 'open' } } })
  await answer(client, context.workspace.id, job_id, request?.interventionId ?? '', { action: 'approve' })
  const fired = await waitUntil(async () => (await listFirings(ended)).find(({ decision }) => decision === 'fired'))
  expect(fired).toMatchObject({ event: { event_type: 'job.completed', job: { id: job_id, status: 'completed' } } })
  for (const id of [ended, opened]) expect((await client.del(`/v1/triggers/${id}`)).status).toBeLessThan(300)
})

test('a replay creates a new firing with the same event, and the firing refers to the original', async () => {
  const { client } = context.workspace
  const { id } = await createTrigger({ event: { types: ['resource.created'], path: '/replays' }, paused: true })
  const skill = await createSkill('Seen', '/replays')
  const [missed] = await untilFirings(id, 1)
  expect(missed).toMatchObject({ decision: 'paused', job_id: null })
  const replay = () => client.post<FiringView>(`/v1/triggers/${id}/runs/${missed?.id}/replay`)
  const { status, body } = await replay()
  expect({ status, body }).toMatchObject({
    status: 202,
    body: { decision: 'fired', replay_of: missed?.id, fired_by: 'user:ann', event: { resource: { id: skill } } },
  })
  expect(body.event?.at).toBe(missed?.event?.at)
  const { result } = await jobWith(client, body.job_id ?? '')
  expect(result).toMatchObject({ event_type: 'resource.created', resource: { id: skill } })
  const again = await replay()
  expect(again.body.job_id).not.toBe(body.job_id)
  expect((await client.post(`/v1/triggers/${id}/runs/${randomUUID()}/replay`)).status).toBe(404)
})

describe('messages', () => {
  let receptor: string

  const say = async (message: string, to = receptor) =>
    (await post<{ job_id: string }>(`/v1/receptors/${context.workspace.slug}/${to}/invoke`, { message })).job_id

  beforeAll(async () => {
    const answering = await createPathway('Answers', pathway([{ id: 'done', type: 'end', output: 'Hello.' }]))
    const target = { type: 'pathway', ref: answering }
    receptor = (await post<{ id: string }>('/v1/receptors', { title: 'Desk', target })).id
  })

  const listen = (chat: object) =>
    createTrigger({ trigger_type: 'chat', chat, input: { message: '${event.message}', by: '${event.by}' } })

  test('fire only if they contain a phrase or a mention', async () => {
    const chat = { receptor, phrases: ['Money back'], mentions: ['billing'] }
    const { id } = await listen(chat)
    await say('I like money backpacks.')
    await say('I want my  money BACK!')
    await say('Hey @billing, please call.')
    const firings = await untilFirings(id, 2)
    expect(new Set(firings.map(({ event }) => event?.matched))).toEqual(new Set(['Money back', 'billing']))
    const { result } = await jobWith(context.workspace.client, firings[0]?.job_id ?? '')
    expect(result).toMatchObject({ by: 'user:ann' })
    await sleep(500)
    expect(await listFirings(id)).toHaveLength(2)
  })

  test('fire if the router says yes', async () => {
    const instructions = 'Yes, a refund is for this desk.'
    const model = 'builtin:extractive'
    const neuron = await post<{ id: string }>('/v1/neurons', { title: 'Router', slug: 'router', model, instructions })
    const { id } = await listen({ receptor, router: { neuron: neuron.id } })
    await say('How do I get a refund?')
    await say('Where is the office?')
    const firings = await untilFirings(id, 2)
    const decisions = firings.map(({ decision, event, reason }) => [event?.message, decision, reason])
    expect(new Set(decisions)).toEqual(
      new Set([
        ['How do I get a refund?', 'fired', null],
        ['Where is the office?', 'filtered', 'The router did not approve the message'],
      ]),
    )
  })
})

test.each([
  ['/event/types/0', { types: ['resource.renamed'] }],
  ['/event/types/0', { types: ['job.completed'], path: '/a' }],
  ['/event/path', { types: ['resource.*'], path: 'a' }],
  ['/event/debounce/seconds', { types: ['resource.*'], debounce: { seconds: 0 } }],
])('invalid settings are rejected: %s %j', async (pointer, event) => {
  const target = { type: 'pathway', ref: echoId }
  const fields = { title: 'Bad', trigger_type: 'event', target, event }
  const reply = await context.workspace.client.post<{ details: object[] }>('/v1/triggers', fields)
  expect(reply).toMatchObject({ status: 400, body: { details: [{ pointer }] } })
})
