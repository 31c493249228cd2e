import { pino } from 'pino'
import { openTracing, type Tracing } from '../../observability/tracing.ts'
import { waitUntil } from '../support/stack/process.ts'
import { startTraceReceiver, type TraceReceiver } from '../support/clients/trace-receiver.ts'
import { type AppUnderTest, CONFIG, startApp } from './app-under-test.ts'
import { KEY } from './services.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const logged: string[] = []
let receiver: TraceReceiver
let tracing: Tracing | undefined
let direct: AppUnderTest
let behindProxy: AppUnderTest

beforeAll(async () => {
  receiver = await startTraceReceiver()
  const log = pino({}, { write: line => void logged.push(line) })
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`, OTEL_TRACES_SAMPLER_ARG: 1 }
  tracing = openTracing(settings, 'api', log)
  direct = await startApp({ isTraced: true })
  behindProxy = await startApp({ isTraced: true, config: { ...CONFIG, TRUSTED_PROXIES: ['127.0.0.0/8'] } })
})
afterAll(async () => {
  await Promise.all([direct.drain(0), behindProxy.drain(0)])
  await tracing?.close()
  await receiver.close()
})

const send = async (app: AppUnderTest, path: string, flags = '01') => {
  const headers = { authorization: `Bearer ${KEY}`, traceparent: `00-${TRACE}-${PARENT}-${flags}` }
  await (await fetch(app.url + path, { headers })).text()
}
const spanOf = (name: string) => waitUntil(() => receiver.spans.find(span => span.name === name))

test('a request creates a span with its route, method and status', async () => {
  await send(direct, '/v1/health/live')
  expect(await spanOf('GET /v1/health/live')).toMatchObject({
    service: 'ganglion-api',
    parentSpanId: '',
    attributes: {
      'http.route': '/v1/health/live',
      'http.request.method': 'GET',
      'http.response.status_code': '200',
    },
  })
})

test('a request continues the trace of a trusted proxy, but not the trace of other callers', async () => {
  await send(behindProxy, '/v1/jobs/of-proxy/status')
  await spanOf('GET /v1/jobs/:jobId/status')
  const found = receiver.spans.map(({ name, traceId, parentSpanId }) => ({ name, traceId, parentSpanId }))
  expect(found).toContainEqual({ name: 'GET /v1/jobs/:jobId/status', traceId: TRACE, parentSpanId: PARENT })
  expect(found).toContainEqual({
    name: 'GET /v1/health/live',
    traceId: expect.not.stringContaining(TRACE),
    parentSpanId: '',
  })
})

test('a trusted proxy decides which requests are sampled', async () => {
  await send(behindProxy, '/v1/health/ready', '00')
  await send(behindProxy, '/v1/models')
  await spanOf('GET no route')
  expect(receiver.spans.map(({ name }) => name)).not.toContain('GET /v1/health/ready')
})

test('spans are dropped while the receiver rejects them, and this is logged once', async () => {
  receiver.refuses = true
  await send(direct, '/v1/health/live')
  await waitUntil(() => logged.length > 0)
  await send(direct, '/v1/health/live')
  receiver.refuses = false
  const count = receiver.spans.length
  await waitUntil(async () => {
    await send(direct, '/v1/health/live')
    return receiver.spans.length > count
  })
  await waitUntil(() => logged.length > 1)
  expect(logged.map(line => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'exporting spans failed; spans are dropped until it recovers',
    'exporting spans recovered',
  ])
})
