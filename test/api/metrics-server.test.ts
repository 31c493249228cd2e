import { pino } from 'pino'
import { serveMetrics } from '../../observability/metrics-server.ts'
import type { TextServer } from '../../observability/text-server.ts'

const log = pino({ level: 'silent' })
const address = { host: '127.0.0.1', setting: 'METRICS_PORT' }
let read: () => Promise<string>
let server: TextServer
let url: string

beforeAll(async () => {
  server = await serveMetrics({ ...address, port: 0, read: () => read(), log })
  url = `http://127.0.0.1:${server.port}`
})
beforeEach(() => (read = () => Promise.resolve('up 1\n')))
afterAll(() => server.close())

test('serves the metrics', async () => {
  const answer = await fetch(`${url}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await answer.text()).toBe('up 1\n')
})

test.each(['/', '/v1/health', '/metrics/', '/metrics?name=x', '/metricsx', '/v1/metrics'])(
  'serves nothing else: %s',
  async path => {
    expect((await fetch(url + path)).status).toBe(404)
  },
)

test.each(['POST', 'PUT', 'DELETE', 'HEAD'])('rejects %s', async method => {
  expect((await fetch(`${url}/metrics`, { method })).status).toBe(405)
})

test('does not reveal why it failed', async () => {
  read = () => Promise.reject(new Error('secret'))
  const answer = await fetch(`${url}/metrics`)
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('secret')
})

test('a port that is already in use causes an error', async () => {
  await expect(serveMetrics({ ...address, port: server.port, read, log })).rejects.toThrow(
    /^The metrics port \d+ on 127\.0\.0\.1 is already in use/,
  )
})
