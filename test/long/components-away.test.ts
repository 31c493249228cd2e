import { setTimeout as sleep } from 'node:timers/promises'
import type { ComponentName } from '../../dev/components/component.ts'
import type { JobStatus } from '../../domain/runs/jobs.ts'
import type { JobDetail } from '../../contract/runs/job.ts'
import { type Answer, type ApiClient, createClient } from '../support/clients/client.ts'
import { waitUntil } from '../support/stack/process.ts'
import { answer, asked, readEvents, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import { listEffects, post, listRequests } from '../faults/support/effects.ts'
import { useFaultContext } from '../faults/support/fault-context.ts'
import { followThrough, type Reading, joinTokens } from '../faults/support/follow-through.ts'

const AWAY_MS = 10_000
const STEPS = Array.from({ length: 8 }, (_, i) => `s${i}`)
const WORDS = Array.from({ length: 160 }, (_, i) => `w${i} `)

const context = useFaultContext('postgres', 'redis', 'temporal')
let finished: string
/** Sends no key, because keys cannot be checked without Postgres. */
let anonymous: ApiClient

beforeAll(async () => {
  anonymous = createClient(context.stack.baseUrl)
  const { client } = context.workspace
  finished = await startRun(client, pathway([{ id: 'one', type: 'transform', with: { value: 'done before' } }]))
  await jobWith(client, finished)
})

interface Runs {
  streaming: string
  chain: string
  waiting: string
  question: string
  reading: Reading
}

/**
 * Starts a run in the middle of a model call, a run in the middle of a chain of HTTP calls, and a run that is waiting
 * for a person.
 */
async function threeRuns(): Promise<Runs> {
  const reply = { tokens: WORDS, delay_ms: 100 }
  context.model.script(reply, reply, reply)
  const { client } = context.workspace
  const streaming = await startRun(client, pathway([{ id: 'say', type: 'neuron', with: { message: 'Speak.' } }]))
  const chain = pathway(
    STEPS.map(id => post(context.ledger, id, '?delay_ms=1000')),
    ...STEPS.slice(1).map((id, i) => `${STEPS[i]} > ${id}`),
  )
  const chained = await startRun(client, chain)
  const waiting = await startRun(
    client,
    pathway(
      [{ id: 'review', type: 'human', kind: 'approval' }, post(context.ledger, 'after')],
      'review.approve > after',
      'review.reject > after',
    ),
  )
  const [question] = await asked(client, waiting)
  const reading = followThrough(client, streaming)
  await waitUntil(() => joinTokens(reading.events, 'say') !== '' && listEffects(context.ledger, chained).length > 0)
  return { streaming, chain: chained, waiting, question: question?.interventionId ?? '', reading }
}

/** Checks that all three runs end normally and that every effect happened once. */
async function expectAllWell({ streaming, chain, waiting, question, reading }: Runs): Promise<void> {
  const { client } = context.workspace
  const approved = async () =>
    (await answer(client, context.workspace.id, waiting, question, { action: 'approve' })).status === 200
  await waitUntil(approved)
  await reading.done
  expect(joinTokens(reading.events, 'say')).toBe(WORDS.join(''))
  expect(reading.events.at(-1)?.data).toMatchObject({ type: 'complete', result: { text: WORDS.join('') } })
  expect(new Set(reading.events.map(({ id }) => id)).size).toBe(reading.events.length)
  for (const jobId of [streaming, chain, waiting]) {
    const { status, nodes } = await jobWith(client, jobId)
    expect([status, ...nodes.map(node => node.status)]).toEqual(['completed', ...nodes.map(() => 'completed')])
  }
  expect(listEffects(context.ledger, chain)).toHaveLength(STEPS.length)
  expect(listEffects(context.ledger, waiting)).toHaveLength(1)
  expect(context.ledger.duplicates()).toEqual([])
}

/** Stops one component for ten seconds and runs checks in the meantime. */
async function without(name: ComponentName, lookAround: () => Promise<void>): Promise<void> {
  const { api, worker } = context.stack
  await context.components.stopOne(name)
  const since = Date.now()
  await waitUntil(async () => (await health()).body.components[name] === 'down')
  await lookAround()
  await sleep(Math.max(0, since + AWAY_MS - Date.now()))
  await context.components.startOne(name)
  await waitUntil(async () => (await health()).body.components[name] === 'ok')
  expect([api.child.exitCode, worker.child.exitCode]).toEqual([null, null])
}

const health = () => anonymous.get<{ status: string; components: Record<string, string> }>('/v1/health')

async function expectRefused(call: () => Promise<Answer<unknown>>): Promise<void> {
  const { status, body, headers } = await call()
  expect({ status, body }).toEqual({
    status: 503,
    body: { message: expect.any(String), code: 'UNAVAILABLE', retryAfter: expect.any(Number) },
  })
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  expect(JSON.stringify(body)).not.toMatch(/postgres|redis|temporal|127\.0\.0\.1|ECONN/i)
}

interface Stored {
  execute(key?: string): Promise<Answer<{ job_id: string }>>
  jobs(): Promise<{ job_id: string; status: JobStatus }[]>
}

/** Creates a stored pathway whose runs have the given effect. */
async function stored(effect: string): Promise<Stored> {
  const { client } = context.workspace
  const definition = pathway([post(context.ledger, effect)])
  const { body: saved } = await client.post<{ id: string }>('/v1/pathways', { title: effect, definition })
  const execute = (key?: string) =>
    client.post<{ job_id: string }>(
      `/v1/pathways/${saved.id}/execute`,
      {},
      { headers: key ? { 'Idempotency-Key': key } : {} },
    )
  const jobs = async () => {
    const { body } = await client.get<{ jobs: JobDetail[] }>(`/v1/jobs?pathway_id=${saved.id}`)
    return body.jobs.map(({ job_id, status }) => ({ job_id, status }))
  }
  return { execute, jobs }
}

/** Checks that rejected requests left no trace, and that a retry with the same key starts one run. */
async function expectRefusalsForgotten({ execute, jobs }: Stored, effect: string): Promise<void> {
  const again = await execute(effect)
  expect(again.status).toBe(202)
  expect((await execute(effect)).body).toEqual(again.body)
  const { job_id } = again.body
  await jobWith(context.workspace.client, job_id)
  let left: object[] = []
  await waitUntil(
    async () => (left = await jobs()).length === 1,
    undefined,
    () => `not only ${job_id}: ${JSON.stringify(left)}`,
  )
  expect(left).toEqual([{ job_id, status: 'completed' }])
  expect(listRequests(context.ledger, '', `/${effect}`)).toHaveLength(1)
}

test('without Redis, runs continue and are accepted, and only live streams are rejected', async () => {
  const runs = await threeRuns()
  const { client } = context.workspace
  let accepted = ''
  await without('redis', async () => {
    expect(await health()).toMatchObject({ status: 200, body: { status: 'degraded', components: { redis: 'down' } } })
    await expectRefused(() => client.get(`/v1/jobs/${runs.streaming}/stream`))
    accepted = await startRun(client, pathway([post(context.ledger, 'meanwhile')]))
    expect((await jobWith(client, accepted)).status).toBe('completed')
    expect((await client.get(`/v1/jobs/${runs.waiting}`)).body).toMatchObject({ status: 'waiting' })
    expect((await readEvents(client, finished)).at(-1)?.data).toEqual({ type: 'complete', result: 'done before' })
  })
  await expectAllWell(runs)
  expect((await readEvents(client, accepted)).at(-1)?.data).toMatchObject({ type: 'complete' })
})

test('without Postgres, requests that need it are rejected, and tokens are still streamed', async () => {
  const runs = await threeRuns()
  const { client } = context.workspace
  const effect = 'refused-without-postgres'
  const refused = await stored(effect)
  await without('postgres', async () => {
    expect(await health()).toMatchObject({ status: 503, body: { status: 'down', components: { postgres: 'down' } } })
    const seen = joinTokens(runs.reading.events, 'say').length
    await expectRefused(() => refused.execute())
    await expectRefused(() => refused.execute(effect))
    await expectRefused(() => client.get(`/v1/jobs/${finished}`))
    await expectRefused(() => client.get('/v1/jobs'))
    await expectRefused(() => client.post(`/v1/jobs/${runs.chain}/cancel`))
    await expectRefused(() => answer(client, context.workspace.id, runs.waiting, runs.question, { action: 'approve' }))
    expect((await client.get('/v1/health/live')).status).toBe(200)
    await waitUntil(() => joinTokens(runs.reading.events, 'say').length > seen)
  })
  await expectAllWell(runs)
  await expectRefusalsForgotten(refused, effect)
})

test('without Temporal, runs cannot start or be controlled, but records can be read', async () => {
  const runs = await threeRuns()
  const { client } = context.workspace
  const effect = 'refused-without-temporal'
  const refused = await stored(effect)
  await without('temporal', async () => {
    expect(await health()).toMatchObject({ status: 503, body: { status: 'down', components: { temporal: 'down' } } })
    await expectRefused(() => refused.execute())
    await expectRefused(() => refused.execute(effect))
    await expectRefused(() => client.get(`/v1/jobs/${runs.chain}`))
    await expectRefused(() => client.post(`/v1/jobs/${runs.chain}/cancel`))
    await expectRefused(() => answer(client, context.workspace.id, runs.waiting, runs.question, { action: 'approve' }))
    expect((await client.get(`/v1/jobs/${finished}`)).body).toMatchObject({ result: 'done before' })
    expect((await client.get<{ total: number }>('/v1/jobs')).body.total).toBeGreaterThan(3)
    expect((await client.get('/v1/interventions')).status).toBe(200)
    const opened = followThrough(client, runs.streaming)
    await waitUntil(() => joinTokens(opened.events, 'say') !== '')
    expect((await readEvents(client, finished)).at(-1)?.data).toEqual({ type: 'complete', result: 'done before' })
  })
  await expectAllWell(runs)
  await expectRefusalsForgotten(refused, effect)
})
