import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nextFree } from '../../../dev/machine/ports.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { type Ledger, startLedger } from '../../support/shared/ledger.ts'
import { parseMetrics, type Series, sumSeries } from '../../support/clients/metrics-text.ts'
import { type ModelServer, startModelServer } from '../../support/agents/model-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { answer, asked, readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from '../../support/clients/trace-receiver.ts'

/** Metrics and traces of the running product. The tests build on each other and examine the same runs. */

const DEPLOY = join(import.meta.dirname, '../../../deploy')
/** This text is part of all user content: inputs, messages and titles. */
const CONTENT = 'Nimbus-quarterly-numbers'
const MODEL_KEY = 'sk-model-key-of-the-provider'

let stack: Stack
let workspace: TestWorkspace
let ledger: Ledger
let model: ModelServer
let receiver: TraceReceiver
let jobId: string
let job: JobDetail

beforeAll(async () => {
  ;[ledger, model, receiver] = await Promise.all([startLedger(), startModelServer(), startTraceReceiver()])
  const env = {
    METRICS_PORT: String(await nextFree()),
    WORKER_METRICS_PORT: String(await nextFree()),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=observed',
    MODEL_BASE_URL: model.base_url,
    MODEL_API_KEY: MODEL_KEY,
    MODEL_DEFAULT: 'scripted',
  }
  stack = await startStack({ env })
  workspace = await stack.workspace({ actor: 'user:ann' })
  await run()
})
afterAll(async () => {
  await stack?.stop()
  await Promise.all([ledger?.close(), model?.close(), receiver?.close()])
})

/**
 * Runs a pathway that calls a model that is busy at first, a service and a child run, and asks a person while a
 * client watches.
 */
async function run(): Promise<void> {
  const { client, id } = workspace
  const definition = pathway([{ id: 'said', type: 'end', output: '${input.text}' }])
  await client.post('/v1/pathways', { title: 'Child', slug: 'child', definition })
  model.script({ status: 429, error: CONTENT }, { tokens: [CONTENT] })
  const retry = { max_attempts: 3, initial: 'PT0.05S' }
  jobId = await startRun(
    client,
    pathway(
      [
        { id: 'ask', type: 'neuron', with: { message: CONTENT }, retry },
        { id: 'call', type: 'http', with: { method: 'POST', url: `${ledger.url}/call`, json: { CONTENT } } },
        { id: 'sub', type: 'pathway', ref: 'child', with: { text: CONTENT } },
        { id: 'review', type: 'human', kind: 'approval', title: CONTENT },
        { id: 'done', type: 'end', output: '${nodes.sub.output}' },
      ],
      'ask > call',
      'call > sub',
      'sub > review',
      'review.approve > done',
      'review.reject > done',
    ),
    { text: CONTENT },
  )
  await jobWith(client, jobId, 'waiting')
  const events = readEvents(client, jobId)
  const waiting = await waitUntil(async () => {
    const series = await scrape('METRICS_PORT')
    const isSeen = ['ganglion_open_interventions', 'ganglion_open_streams'].every(name => sumSeries(series, name) === 1)
    return isSeen && series
  })
  expect(sumSeries(waiting, 'ganglion_open_runs', { status: 'waiting' })).toBe(1)
  expect(sumSeries(waiting, 'ganglion_open_interventions_oldest_age_seconds')).toBeGreaterThan(0)
  const [open] = await asked(client, jobId)
  await answer(client, id, jobId, open?.interventionId ?? '', { action: 'approve', comment: CONTENT })
  await events
  job = await jobWith(client, jobId)
  expect(job.status).toBe('completed')
}

async function scrapeText(port: 'METRICS_PORT' | 'WORKER_METRICS_PORT'): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${stack.env[port]}/metrics`)
  expect(response.status).toBe(200)
  return response.text()
}
const scrape = async (port: Parameters<typeof scrapeText>[0]): Promise<Series[]> => parseMetrics(await scrapeText(port))

describe('the metrics', () => {
  test('of the API include requests by route, streams, and the state of all runs', async () => {
    const series = await scrape('METRICS_PORT')
    const started = { method: 'POST', route: '/v1/jobs', status: '2xx' }
    expect(sumSeries(series, 'ganglion_http_request_duration_seconds_count', started)).toBe(1)
    expect(sumSeries(series, 'ganglion_stream_delivery_lag_seconds_count')).toBeGreaterThan(0)
    expect(sumSeries(series, 'ganglion_stream_queued_events')).toBe(0)
    for (const outbox of ['events', 'search', 'webhooks'])
      expect(sumSeries(series, 'ganglion_outbox_rows', { outbox })).toBeGreaterThanOrEqual(0)
    expect(sumSeries(series, 'nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
    expect(sumSeries(series, 'ganglion_component_up', { component: 'postgres' })).toBe(1)
    expect(sumSeries(series, 'ganglion_stuck_runs')).toBe(0)
    expect(sumSeries(series, 'ganglion_retention_age_seconds')).toBeGreaterThan(0)
  })

  test('of the worker include finished runs, provider calls by outcome, and Temporal calls', async () => {
    const series = await scrape('WORKER_METRICS_PORT')
    const calls = (outcome: string) =>
      sumSeries(series, 'ganglion_provider_request_duration_seconds_count', { service: 'model', outcome })
    expect({ refused: calls('MODEL_RATE_LIMIT'), ok: calls('ok') }).toEqual({ refused: 1, ok: 1 })
    expect(sumSeries(series, 'ganglion_runs_ended_total', { outcome: 'completed' })).toBe(2)
    expect(sumSeries(series, 'ganglion_projection_pending_runs')).toBeGreaterThanOrEqual(0)
    expect(sumSeries(series, 'temporal_workflow_completed_total', { workflow_type: 'pathway' })).toBe(2)
    expect(sumSeries(series, 'temporal_activity_schedule_to_start_latency_seconds_count')).toBeGreaterThan(0)
  })

  test('contain no ids, content or secrets, and each label has few values', async () => {
    const texts = await Promise.all([scrapeText('METRICS_PORT'), scrapeText('WORKER_METRICS_PORT')])
    for (const secret of [CONTENT, MODEL_KEY, workspace.id, workspace.slug, jobId, workspace.api_key])
      for (const text of texts) expect(text).not.toContain(secret)
    const values = new Map<string, Set<string>>()
    for (const { labels } of texts.flatMap(parseMetrics))
      for (const [label, value] of Object.entries(labels))
        if (label !== 'le') values.set(label, (values.get(label) ?? new Set()).add(value))
    const numbers = [...values].map(([label, { size }]) => ({ label, size }))
    expect(numbers.filter(({ size }) => size > 60)).toEqual([])
  })

  test('that dashboards and alerts use exist', async () => {
    const served = new Set(
      [...(await scrape('METRICS_PORT')), ...(await scrape('WORKER_METRICS_PORT'))].map(one => one.name),
    )
    const files = ['grafana', 'prometheus'].flatMap(folder =>
      readdirSync(join(DEPLOY, folder)).map(file => join(DEPLOY, folder, file)),
    )
    const named = files.flatMap(
      file => readFileSync(file, 'utf8').match(/\b(?:ganglion|temporal|nodejs|process)_[a-z\d_]+\b/g) ?? [],
    )
    expect(named.length).toBeGreaterThan(20)
    expect([...new Set(named)].filter(name => !served.has(name))).toEqual([])
  })
})

describe('the traces', () => {
  const named = (name: string): ReceivedSpan[] => receiver.spans.filter(span => span.name === name)
  let start: ReceivedSpan

  beforeAll(async () => {
    await waitUntil(() => named('RunWorkflow:pathway').length === 2)
    start = await waitUntil(() => named('POST /v1/jobs')[0])
  })

  test('connect the request with the client, the workflow, the activity and SQL', async () => {
    const chain = (span: ReceivedSpan | undefined): string[] => {
      const parent = receiver.spans.find(({ spanId }) => spanId === span?.parentSpanId)
      return span ? [...chain(parent), `${span.service} ${span.name}`] : []
    }
    const chains = receiver.spans.filter(({ traceId }) => traceId === start.traceId).map(chain)
    const inRun = [
      'ganglion-api POST /v1/jobs',
      'ganglion-api StartWorkflow:pathway',
      'ganglion-worker RunWorkflow:pathway',
    ]
    expect(chains).toContainEqual([inRun[0], 'ganglion-api postgres insert'])
    expect(chains).toContainEqual([...inRun, 'ganglion-worker RunActivity:http'])
    expect(chains).toContainEqual([...inRun, 'ganglion-worker RunActivity:finish', 'ganglion-worker postgres update'])
    expect(chains).toContainEqual([
      ...inRun,
      'ganglion-worker RunWorkflow:pathway',
      'ganglion-worker RunActivity:finish',
    ])
  })

  test('of a retried step contain a failed span', () => {
    const attempts = named('RunActivity:neuron').map(({ status, attributes }) => [status, attributes['error.type']])
    expect(attempts).toEqual([
      [2, 'ApplicationFailure'],
      [0, undefined],
    ])
  })

  test('start only with requests', () => {
    const first = receiver.spans.filter(({ parentSpanId }) => parentSpanId === '')
    expect(first.filter(({ name }) => !/^[A-Z]+ (?:\/v1|no route)/.test(name))).toEqual([])
  })

  test('contain no content and no secret', () => {
    for (const secret of [CONTENT, MODEL_KEY, workspace.api_key, workspace.slug, 'user:ann'])
      expect(receiver.raw()).not.toContain(secret)
    expect(receiver.spans.filter(({ events, message }) => events > 0 || message !== '')).toEqual([])
    expect(receiver.headers[0]).toMatchObject({ 'x-tenant': 'observed' })
  })

  test('are referenced in log lines', () => {
    const lines = stack.api.output().split('\n')
    const line = lines.find(text => text.includes('"msg":"request"') && text.includes('"path":"/v1/jobs"')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ trace_id: start.traceId, span_id: start.spanId })
  })

  test('do not change the behavior of runs, which still replay', async () => {
    expect(await replayRuns([jobId])).toEqual([])
  })
})
