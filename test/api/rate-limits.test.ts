import type { Redis } from 'ioredis'
import { pino } from 'pino'
import { createOpenStreams } from '../../streams/open-streams.ts'
import { createRateLimiter } from '../../streams/rate-limiter.ts'
import { closeRedis, openCounters } from '../../streams/redis.ts'
import { waitUntil } from '../support/stack/process.ts'
import { type RedisServer, startRedisServer } from '../support/stack/redis-server.ts'
import { type AppUnderTest, CONFIG, startApp } from './app-under-test.ts'
import { KEY, memoryPlans, OTHER_KEY } from './services.ts'

/** Request limits in a real Redis that two API processes share. */

const LIMIT = 100
const ADDRESS_LIMIT = 30

let server: RedisServer
let connections: Redis[]
let first: AppUnderTest
let second: AppUnderTest

const plans = {
  ...memoryPlans,
  find: async (workspace: string) => ({ ...(await memoryPlans.find(workspace)), requests_per_minute: LIMIT }),
}

async function openApp(config: Partial<typeof CONFIG> = {}): Promise<AppUnderTest> {
  const redis = openCounters(server.url, pino({ level: 'silent' }))
  connections.push(redis)
  // On a busy machine the first attempt can time out. The client retries automatically.
  await waitUntil(async () => redis.status === 'ready')
  const limits = { ADDRESS_REQUESTS_PER_MINUTE: ADDRESS_LIMIT, MAX_CONNECTIONS: 1_000 }
  return startApp({ plans, limiter: createRateLimiter(redis), config: { ...CONFIG, ...limits, ...config } })
}

beforeEach(async () => {
  server = await startRedisServer()
  connections = []
  ;[first, second] = await Promise.all([openApp(), openApp()])
})
afterEach(async () => {
  await Promise.all([first.drain(0), second.drain(0)])
  await Promise.all(connections.map(closeRedis))
  await server.remove()
})

const send = (url: string, key: string | undefined, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { ...(key && { Authorization: `Bearer ${key}` }), ...headers } })

/** Reads the rate limit headers, and consumes the whole response. */
async function readLimits(response: Response): Promise<Record<string, number>> {
  await response.body?.cancel()
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  const values = names.map(name => response.headers.get(name) ?? 'absent')
  for (const value of values) expect(value).toMatch(/^\d+$/)
  const [limit = 0, remaining = 0, reset = 0] = values.map(Number)
  return { status: response.status, limit, remaining, reset }
}

test('of 200 parallel requests to two processes, exactly 100 pass', async () => {
  const responses = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, i) => send(`${(i % 2 ? first : second).url}/v1/jobs`, KEY)),
  )
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter(status => status === 200)).toHaveLength(LIMIT)
  expect(statuses.filter(status => status === 429)).toHaveLength(LIMIT)
})

test('a 429 response includes the retry delay, and the other credential is not affected', async () => {
  await Promise.all(Array.from({ length: LIMIT }, () => send(`${first.url}/v1/jobs`, KEY)))
  const refused = await send(`${second.url}/v1/jobs`, KEY)
  const body = (await refused.clone().json()) as { code: string; retryAfter: number }
  expect(body).toMatchObject({ code: 'RATE_LIMIT', message: 'More than 100 requests per minute' })
  expect(Number.isInteger(body.retryAfter) && body.retryAfter >= 1 && body.retryAfter <= 60).toBe(true)
  expect(refused.headers.get('retry-after')).toBe(String(body.retryAfter))
  const { status, limit, remaining, reset = 0 } = await readLimits(refused)
  expect({ status, limit, remaining }).toEqual({ status: 429, limit: LIMIT, remaining: 0 })
  expect(Math.abs(reset - Date.now() / 1_000 - body.retryAfter)).toBeLessThan(5)
  expect((await send(`${second.url}/v1/jobs`, OTHER_KEY)).status).toBe(200)
})

test('every response includes the headers and counts once, for the credential or else for the address', async () => {
  first.jobs.put('r', 'running')
  const events = {
    subscribe: async () => ({ start: () => undefined, close: () => undefined, end: 'unknown' as const }),
  }
  const streaming = await startApp({ plans, events, limiter: createRateLimiter(connections[0] as Redis) })
  streaming.jobs.put('r', 'running')
  const { url } = first
  const ofCredential = [
    await send(`${url}/v1/jobs`, KEY),
    await send(`${url}/v1/jobs`, KEY, {}, 'HEAD'),
    await send(`${url}/v1/jobs?unknown=1`, KEY),
    await send(`${url}/v1/jobs/other/status`, KEY),
    await send(`${streaming.url}/v1/jobs/r/stream`, KEY),
    await send(`${url}/v1/nothing`, KEY),
    await send(`${url}/v1/jobs`, KEY, {}, 'PUT'),
    await send(`${url}/v1/grep`, KEY),
  ]
  const ofAddress = [
    await send(`${url}/v1/jobs`, undefined),
    await send(`${url}/v1/jobs`, 'wrong'),
    await send(`${url}/v1/jobs`, 'broken'),
    await send(`${url}/v1/nothing`, 'wrong'),
    await send(`${url}/v1/jobs`, undefined, {}, 'PUT'),
    await send(`${url}/v1/grep`, undefined),
    await send(`${url}/v1/jobs`, KEY, { 'X-Long': 'x'.repeat(20_000) }),
    await send(`${url}/v1/health/live`, undefined),
    await send(`${url}/v1/openapi.json`, undefined),
  ]
  const credential = await Promise.all(ofCredential.map(readLimits))
  expect(credential.map(({ status, limit, remaining }) => [status, limit, remaining])).toEqual(
    [200, 200, 400, 404, 200, 404, 405, 410].map((status, i) => [status, LIMIT, LIMIT - 1 - i]),
  )
  const address = await Promise.all(ofAddress.map(readLimits))
  expect(address.map(({ status, limit, remaining }) => [status, limit, remaining])).toEqual(
    [401, 401, 500, 404, 405, 410, 431, 200, 200].map((status, i) => [status, ADDRESS_LIMIT, ADDRESS_LIMIT - 1 - i]),
  )
  await streaming.drain(0)
})

test('an address is limited only for requests without a credential', async () => {
  const statuses: number[] = []
  for (let i = 0; i < ADDRESS_LIMIT + 2; i++) statuses.push((await send(`${first.url}/v1/jobs`, 'wrong')).status)
  expect(statuses.filter(status => status === 401)).toHaveLength(ADDRESS_LIMIT)
  expect(statuses.slice(ADDRESS_LIMIT)).toEqual([429, 429])
  expect((await send(`${first.url}/v1/nothing`, undefined)).status).toBe(429)
  expect((await send(`${first.url}/v1/nothing`, KEY)).status).toBe(404)
  expect((await send(`${first.url}/v1/jobs`, KEY)).status).toBe(200)
})

describe('behind a proxy', () => {
  const remainingOf = async (app: AppUnderTest, forwarded: string) =>
    (await readLimits(await send(`${app.url}/v1/health/live`, undefined, { 'X-Forwarded-For': forwarded }))).remaining

  test('no proxy is trusted by default, so the forwarding header is ignored', async () => {
    expect(await remainingOf(first, '203.0.113.1')).toBe(ADDRESS_LIMIT - 1)
    expect(await remainingOf(first, '203.0.113.2')).toBe(ADDRESS_LIMIT - 2)
  })

  test('with a trusted proxy, the client is the last untrusted address in the header', async () => {
    const app = await openApp({ TRUSTED_PROXIES: ['127.0.0.0/8', '10.0.0.0/8'] })
    expect(await remainingOf(app, '203.0.113.1')).toBe(ADDRESS_LIMIT - 1)
    expect(await remainingOf(app, '203.0.113.2')).toBe(ADDRESS_LIMIT - 1)
    expect(await remainingOf(app, '198.51.100.9, 203.0.113.1, 10.1.1.1')).toBe(ADDRESS_LIMIT - 2)
    expect(await remainingOf(app, '::ffff:203.0.113.1')).toBe(ADDRESS_LIMIT - 3)
    await app.drain(0)
  })

  test('an IPv6 network counts as one client, and an invalid address counts as the proxy', async () => {
    const app = await openApp({ TRUSTED_PROXIES: ['127.0.0.1'] })
    expect(await remainingOf(app, '2001:db8::1')).toBe(ADDRESS_LIMIT - 1)
    expect(await remainingOf(app, '2001:db8::ffff:1')).toBe(ADDRESS_LIMIT - 2)
    expect(await remainingOf(app, '2001:db8:0:1::1')).toBe(ADDRESS_LIMIT - 1)
    expect(await remainingOf(app, 'unknown')).toBe(ADDRESS_LIMIT - 1)
    expect(await remainingOf(app, '"><script>')).toBe(ADDRESS_LIMIT - 2)
    await app.drain(0)
  })
})

test('a credential can open as many streams as its plan allows, across all processes', async () => {
  const events = {
    subscribe: async () => ({ start: () => undefined, close: () => undefined, end: 'unknown' as const }),
  }
  const two = { ...plans, find: async (id: string) => ({ ...(await plans.find(id)), open_streams: 2 }) }
  const open = (redis: Redis) =>
    startApp({ plans: two, events, openStreams: createOpenStreams(redis, pino({ level: 'silent' })) })
  const apps = await Promise.all(connections.map(open))
  const streams: Response[] = []
  for (const app of apps) {
    app.jobs.put('r', 'running')
    streams.push(await send(`${app.url}/v1/jobs/r/stream`, KEY))
  }
  const [one, other] = apps as [AppUnderTest, AppUnderTest]
  const refused = await send(`${one.url}/v1/jobs/r/stream`, KEY)
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { code: 'RATE_LIMIT', message: 'The credential already has 2 open streams', retryAfter: 5 },
  ])
  expect((await send(`${one.url}/v1/jobs/r/stream`, KEY, {}, 'HEAD')).status).toBe(200)
  await streams[0]?.body?.cancel()
  await waitUntil(async () => (await send(`${other.url}/v1/jobs/r/stream`, KEY)).status === 200)
  await Promise.all(apps.map(app => app.drain(0)))
})

test('with Redis stopped, each process continues within the limits', async () => {
  await server.kill()
  for (const app of [first, second]) {
    const responses = await Promise.all(Array.from({ length: LIMIT + 20 }, () => send(`${app.url}/v1/jobs`, KEY)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    for (const response of responses) await readLimits(response)
  }
})
