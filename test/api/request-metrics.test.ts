import { Registry } from 'prom-client'
import { createRequestMetrics } from '../../observability/request-metrics.ts'
import { parseMetrics, type Series, sumSeries } from '../support/clients/metrics-text.ts'
import { waitUntil } from '../support/stack/process.ts'
import { type AppUnderTest, startApp } from './app-under-test.ts'
import { KEY } from './services.ts'

const COUNT = 'ganglion_http_request_duration_seconds_count'
const registry = new Registry()
let app: AppUnderTest

beforeAll(async () => (app = await startApp({ requestMetrics: createRequestMetrics(registry) })))
afterAll(() => app.drain(0))

const scrape = async (): Promise<Series[]> => parseMetrics(await registry.metrics())
const send = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(app.url + path, { method, headers: { authorization: `Bearer ${KEY}`, ...headers } })
const countOf = async (labels: Record<string, string>) => sumSeries(await scrape(), COUNT, labels)

test('requests are counted by method, route and status class', async () => {
  await (await send('/v1/health/live')).text()
  const labels = { method: 'GET', route: '/v1/health/live', status: '2xx' }
  expect(await waitUntil(() => countOf(labels))).toBe(1)
})

test('ids, unknown paths and unknown methods create no additional series', async () => {
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      await (await send(`/v1/jobs/job-${i}/status?t=${i}`)).text()
      await (await send(`/v1/no-such-thing/${i}`)).text()
      await (await send('/v1/health/live', 'PROPFIND')).text()
    }),
  )
  await waitUntil(async () => (await countOf({ route: 'none', status: '4xx' })) === 100)
  await waitUntil(async () => (await countOf({ route: '/v1/jobs/:jobId/status' })) === 50)
  const series = (await scrape()).filter(({ name }) => name === COUNT)
  expect(new Set(series.map(({ labels }) => labels.route))).toEqual(
    new Set(['/v1/health/live', '/v1/jobs/:jobId/status', 'none']),
  )
  expect(new Set(series.map(({ labels }) => labels.method))).toEqual(new Set(['GET', 'other']))
})

test('the metrics contain no text from callers', async () => {
  await (await send('/v1/jobs/SECRET-job/status?t=SECRET-token', 'GET', { 'x-request-id': 'SECRET-id' })).text()
  expect(await registry.metrics()).not.toContain('SECRET')
})

test('the API port does not serve metrics', async () => {
  expect((await send('/metrics')).status).toBe(404)
})
