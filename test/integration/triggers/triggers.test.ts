import { execute } from '../../../data/shared/statements.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import type { FiringView } from '../../../contract/triggers/firing.ts'
import type { TriggerView } from '../../../contract/triggers/trigger.ts'

const context = useStack()
let pathwayId: string

/** Accepts a name and returns it. */
const greet = {
  ...pathway([{ id: 'done', type: 'end', output: '${"Hello " + input.name}' }]),
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
}

const post = <T>(path: string, body: object, headers?: Record<string, string>) =>
  context.workspace.client.post<T>(path, body, { headers })

async function createTrigger(fields: object = {}): Promise<TriggerView> {
  const target = { type: 'pathway', ref: pathwayId }
  const { status, body } = await post<TriggerView>('/v1/triggers', { title: 'Greet', target, ...fields })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

const fire = (id: string, body: object, headers?: Record<string, string>) =>
  post<FiringView>(`/v1/triggers/${id}/fire`, body, headers)

const read = async (id: string) => (await context.workspace.client.get<TriggerView>(`/v1/triggers/${id}`)).body

const listRuns = async (id: string) =>
  (await context.workspace.client.get<{ data: FiringView[] }>(`/v1/triggers/${id}/runs`)).body.data

const listProblems = async (fields: object) => {
  const target = { type: 'pathway', ref: pathwayId }
  const reply = await post<{ details: object[] }>('/v1/triggers', { title: 'Bad', target, ...fields })
  expect(reply.status).toBe(400)
  return reply.body.details
}

beforeAll(async () => {
  pathwayId = (await post<{ id: string }>('/v1/pathways', { title: 'Greeting', definition: greet })).body.id
})

test('a manual trigger starts a run with the mapped input, and only one if the request is repeated', async () => {
  const { id, slug } = await createTrigger({ input: { name: '${event.input.who + "!"}' } })
  const first = await fire(id, { input: { who: 'Ann' } }, { 'Idempotency-Key': `fire-${id}` })
  expect(first).toMatchObject({
    status: 202,
    body: { decision: 'fired', input: { name: 'Ann!' }, fired_by: 'user:ann' },
  })
  const again = await fire(id, { input: { who: 'Ann' } }, { 'Idempotency-Key': `fire-${id}` })
  expect(again.body.job_id).toBe(first.body.job_id)
  const { client } = context.workspace
  expect((await fire(id, { input: { who: 'Bo' } }, { 'Idempotency-Key': `fire-${id}` })).status).toBe(409)
  const job = await jobWith(client, first.body.job_id ?? '')
  expect(job).toMatchObject({ result: 'Hello Ann!', trigger_id: id, requester: 'user:ann' })
  expect((await client.get<{ total: number }>(`/v1/jobs?trigger_id=${slug}`)).body.total).toBe(1)
  expect(await listRuns(id)).toMatchObject([{ decision: 'fired', job_id: first.body.job_id, source: 'manual' }])
  const { health, last_fired_at } = await read(id)
  expect({ health, fired: last_fired_at !== null }).toEqual({ health: 'ok', fired: true })
})

test('filters, limits and mappings decide whether a trigger fires, and the reason is recorded', async () => {
  const { id } = await createTrigger({ filter: 'event.input.name != "Eve"', limits: { runs_per_hour: 1 } })
  expect(await fire(id, { input: { name: 'Eve' } })).toMatchObject({ status: 200, body: { decision: 'filtered' } })
  expect(await fire(id, { input: { other: 1 } })).toMatchObject({ status: 400 })
  expect((await read(id)).health).toBe('ok')
  expect(await fire(id, { input: { name: 'Ann' } })).toMatchObject({ status: 202 })
  expect(await fire(id, { input: { name: 'Ann' } })).toMatchObject({ status: 429 })
  expect(await read(id)).toMatchObject({ health: 'over_limit' })
  expect((await listRuns(id)).map(({ decision }) => decision)).toEqual([
    'limited',
    'fired',
    'failed_mapping',
    'filtered',
  ])
})

test("limits count open runs and this month's spending", async () => {
  const { client, id: workspaceId } = context.workspace
  const definition = pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }])
  const { body: waits } = await post<{ id: string }>('/v1/pathways', { title: 'Waits', definition })
  const target = { type: 'pathway', ref: waits.id }
  const { id } = await createTrigger({ target, input: {}, limits: { runs_at_once: 1 } })
  const first = await fire(id, {})
  expect(first).toMatchObject({ status: 202 })
  expect(await fire(id, {})).toMatchObject({ status: 429, body: { message: expect.stringContaining('runs_at_once') } })
  await client.post(`/v1/jobs/${first.body.job_id}/cancel`)
  await jobWith(client, first.body.job_id ?? '', 'failed')
  expect(await fire(id, {})).toMatchObject({ status: 202 })

  const spending = await createTrigger({ limits: { usd_per_month: 2 } })
  const { body: spent } = await fire(spending.id, { input: { name: 'Ann' } })
  await jobWith(client, spent.job_id ?? '')
  const setSpend = (usd: number) =>
    context.stack.database.db.inWorkspace(workspaceId, tx =>
      execute(tx, `update jobs set usage = jsonb_set(usage, '{usd}', to_jsonb($2::float)) where job_id = $1`, [
        spent.job_id,
        usd,
      ]),
    )
  await setSpend(1.5)
  expect(await fire(spending.id, { input: { name: 'Ann' } })).toMatchObject({ status: 202 })
  await setSpend(2)
  expect(await fire(spending.id, { input: { name: 'Ann' } })).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('usd_per_month') },
  })
})

test('a neuron and a receptor receive a message', async () => {
  const { body: neuron } = await post<{ id: string }>('/v1/neurons', { title: 'Clerk', model: 'builtin:extractive' })
  const target = { type: 'neuron', ref: neuron.id }
  const { body: receptor } = await post<{ id: string }>('/v1/receptors', { title: 'Desk', target })
  for (const aimed of [target, { type: 'receptor', ref: receptor.id }]) {
    const { id } = await createTrigger({ target: aimed, input: { message: 'Say ${event.input.word}' } })
    const { body } = await fire(id, { input: { word: 'hello' } })
    const job = await jobWith(context.workspace.client, body.job_id ?? '')
    expect(job).toMatchObject({ status: 'completed', trigger_id: id, neuron_id: neuron.id })
  }
})

test('invalid triggers are rejected with pointers on save', async () => {
  expect(await listProblems({ target: { type: 'pathway', ref: 'nowhere' } })).toMatchObject([
    { pointer: '/target/ref' },
  ])
  expect(await listProblems({ filter: 'event.x +' })).toMatchObject([{ pointer: '/filter' }])
  expect(await listProblems({ filter: '"text"' })).toMatchObject([{ pointer: '/filter' }])
  expect(await listProblems({ input: { name: '${nothing.x}' } })).toMatchObject([{ pointer: '/input/name' }])
  expect(await listProblems({ input: { name: '${1 + 2}' } })).toMatchObject([{ pointer: '/input/name' }])
  expect(await listProblems({ input: { other: '${event.x}' } })).toMatchObject([
    { pointer: '/input', message: expect.stringContaining('name') },
    { pointer: '/input', message: expect.stringContaining('other') },
  ])
  expect(await listProblems({ trigger_type: 'schedule', input: { name: 'x' } })).toMatchObject([
    { pointer: '/schedule' },
  ])
})

test('a deleted target affects the health of the trigger', async () => {
  const { body } = await post<{ id: string }>('/v1/pathways', { title: 'Gone', definition: greet })
  const { id } = await createTrigger({ target: { type: 'pathway', ref: body.id } })
  await context.workspace.client.del(`/v1/pathways/${body.id}`)
  expect(await read(id)).toMatchObject({ health: 'target_missing' })
  expect((await fire(id, { input: { name: 'Ann' } })).status).toBe(409)
  expect(await listRuns(id)).toMatchObject([{ decision: 'target_missing' }])
})

test('the same event sent 50 times at once starts one run', async () => {
  const { id } = await createTrigger()
  const headers = { 'Idempotency-Key': `many-${id}` }
  const replies = await Promise.all(Array.from({ length: 50 }, () => fire(id, { input: { name: 'Ann' } }, headers)))
  expect(new Set(replies.map(({ body }) => body.job_id)).size).toBe(1)
  const { body } = await context.workspace.client.get<{ total: number }>(`/v1/jobs?trigger_id=${id}`)
  expect(body.total).toBe(1)
})
