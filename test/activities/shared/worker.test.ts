import { setTimeout as sleep } from 'node:timers/promises'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { PathwayNode } from '../../../domain/pathways/definition.ts'
import { setCancelledBy } from '../../../data/runs/job-endings-store.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import { PATHWAY_WORKFLOW, type PathwayRunInput } from '../../../workflows/pathways/messages.ts'
import { type Ledger, startLedger } from '../../support/shared/ledger.ts'
import { startProcess, type TestProcess, waitUntil } from '../../support/stack/process.ts'
import { type Harness, startHarness } from './harness.ts'

let harness: Harness
let ledger: Ledger
let temporal: Temporal
const workers: TestProcess[] = []

beforeAll(async () => {
  harness = await startHarness()
  ledger = await startLedger()
  temporal = openTemporal(harness.config)
  await startWorker()
})

afterAll(async () => {
  await Promise.all(workers.map(worker => worker.end()))
  await Promise.all([harness.close(), ledger.close(), temporal.close()])
})

async function startWorker(): Promise<TestProcess> {
  const { DATABASE_URL, TEMPORAL_TASK_QUEUE } = harness.config
  const env = {
    ...harness.env,
    DATABASE_URL,
    TEMPORAL_TASK_QUEUE,
    SHUTDOWN_SECONDS: '4',
    LOG_LEVEL: 'info',
    OUTBOUND_ALLOW: '127.0.0.1',
  }
  const worker = await startProcess('activities/worker.ts', env, output => output.includes('"worker is ready"'))
  workers.push(worker)
  return worker
}

async function start(nodes: PathwayNode[], input: JsonValue = null): Promise<JobRef> {
  const job = await harness.job()
  const edges = nodes.slice(1).map((node, i) => ({ from: nodes[i]?.id ?? '', to: node.id }))
  const run: PathwayRunInput = {
    job,
    pathway: { id: null, slug: 'test', version: null, title: 'Test' },
    definition: { schema: 'pathway/1', nodes, edges },
    subflows: {},
    input,
    requester: 'user:ann',
  }
  await temporal.client.workflow.start(PATHWAY_WORKFLOW, {
    taskQueue: harness.config.TEMPORAL_TASK_QUEUE,
    workflowId: job.job_id,
    args: [run],
  })
  return job
}

const ended = (job: JobRef, ms = 20_000) =>
  waitUntil(async () => ((await harness.record(job))?.finished_at ? harness.record(job) : undefined), ms)
const callOf = (job: JobRef, seconds = 20_000) =>
  waitUntil(() => ledger.requests.find(({ key }) => key?.startsWith(job.job_id)), seconds)

const slow = (query: string): PathwayNode[] => [
  { id: 'pay', type: 'http', with: { method: 'POST', url: `${ledger.url}/pay?${query}`, json: { amount: 5 } } },
  { id: 'done', type: 'end', output: '${nodes.pay.output.body.id}' },
]

test('a run calls a model and an endpoint, and completes', async () => {
  const job = await start(
    [
      { id: 'read', type: 'neuron', with: { message: 'How long is the stay?\n\n${input.text}' } },
      {
        id: 'pay',
        type: 'http',
        with: { method: 'POST', url: `${ledger.url}/book`, json: { text: '${nodes.read.output.text}' } },
      },
      { id: 'done', type: 'end', output: { id: '${nodes.pay.output.body.id}' } },
    ],
    { text: 'The stay is long: four nights.' },
  )
  const record = await ended(job)
  const effect = ledger.effects.find(({ key }) => key === `${job.job_id}:pay`)
  expect(record).toMatchObject({ status: 'completed', result: { id: effect?.id }, usage: { output_tokens: 6 } })
  expect(effect?.body).toEqual({ text: 'The stay is long: four nights.' })
  const nodes = await waitUntil(async () => {
    const found = await harness.nodes(job)
    return found.length === 3 && found.every(node => node.status === 'completed') && found
  })
  expect(nodes.find(({ key }) => key === 'read')).toMatchObject({ transcript: 'The stay is long: four nights.' })
  const events = await waitUntil(async () => {
    const found = await harness.events(job)
    return found.at(-1)?.type === 'complete' && found
  })
  expect(events.at(-1)).toEqual({ type: 'complete', result: { id: effect?.id } })
  expect(events.flatMap(event => (event.type === 'token' ? [event.token] : [])).join('')).toBe(
    'The stay is long: four nights.',
  )
})

test('a cancel aborts a call, and the end event names the actor', async () => {
  const job = await start(slow('hang=true'))
  const call = await callOf(job)
  await harness.db.inWorkspace(job.workspace_id, tx => setCancelledBy(tx, job.job_id, 'user:bo'))
  await temporal.handle(job.job_id).cancel()
  await waitUntil(() => call.aborted_at)
  expect(await ended(job)).toMatchObject({
    status: 'failed',
    failed_reason: 'cancelled by user:bo',
    failed_code: 'CANCELLED',
  })
  const end = await waitUntil(async () => (await harness.events(job)).find(({ type }) => type === 'error'))
  expect(end).toEqual({ type: 'error', message: 'cancelled by user:bo', code: 'CANCELLED' })
  expect((await harness.events(job)).at(-1)).toEqual(end)
})

test('the worker records no promise stack traces, and rejects a stack trace query', async () => {
  const job = await start([{ id: 'later', type: 'wait', duration: 'P1D' }])
  await expect(temporal.handle(job.job_id).query('__stack_trace')).rejects.toThrow('not enabled')
  expect(workers[0]?.output()).not.toContain('createHook')
  await temporal.handle(job.job_id).cancel()
})

test('a cancel by an operator stops a model call', async () => {
  const job = await start([
    { id: 'read', type: 'neuron', with: { message: `Which word is it?\n\nThe ${'word '.repeat(3_000)}.` } },
    { id: 'done', type: 'end' },
  ])
  await waitUntil(async () => (await harness.events(job)).some(({ type }) => type === 'token'))
  await temporal.handle(job.job_id).cancel()
  expect(await ended(job)).toMatchObject({ status: 'failed', failed_reason: 'cancelled by an operator' })
  const end = await waitUntil(async () => (await harness.events(job)).find(({ type }) => type === 'error'))
  await sleep(300)
  expect((await harness.events(job)).at(-1)).toEqual(end)
})

test('a stopping worker hands its work to the next one and exits cleanly', async () => {
  const [first] = workers
  const job = await start(slow('delay_ms=6000'))
  await callOf(job)
  const [code] = await Promise.all([first?.end('SIGTERM'), startWorker()])
  expect(code).toBe(0)
  expect(first?.output()).toContain('"worker has stopped"')
  expect(await ended(job, 30_000)).toMatchObject({ status: 'completed', result: expect.stringMatching(/^effect-/) })
  expect(ledger.requests.filter(({ key }) => key === `${job.job_id}:pay`).length).toBe(2)
  expect(ledger.effects.filter(({ key }) => key === `${job.job_id}:pay`)).toHaveLength(1)
})

test('a stopping worker completes a short call', async () => {
  const job = await start(slow('delay_ms=1000'))
  await callOf(job)
  const [code] = await Promise.all([workers.at(-1)?.end('SIGTERM'), startWorker()])
  expect(code).toBe(0)
  expect(await ended(job)).toMatchObject({ status: 'completed' })
  expect(ledger.requests.filter(({ key }) => key === `${job.job_id}:pay`)).toHaveLength(1)
})
