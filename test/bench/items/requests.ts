import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { createRateLimiter } from '../../../streams/rate-limiter.ts'
import { closeRedis, openCounters } from '../../../streams/redis.ts'
import { createTestAccess } from '../../support/access/access.ts'
import { buildPlans } from '../../support/access/plans.ts'
import { startProcess } from '../../support/stack/process.ts'
import type { Bench } from '../bench.ts'
import { forEach } from '../support/for-each.ts'
import type { Item, Row, Samples } from '../support/item.ts'
import { transforms } from '../support/pathways.ts'
import { takeTurns, timed } from '../support/turns.ts'

const IN_FLIGHT = 32
const REQUESTS = 4_000
const ROUNDS = 4
const CHECKS = 2_000

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** Requests per second with authentication and limits, compared with a server that sends the same bytes. */
export const requests: Item = {
  name: 'requests',
  async run(bench) {
    const jobId = await bench.ours.start(await bench.ours.store('requests', transforms(1)))
    await bench.ours.completed(jobId)
    const calls: Call[] = [
      // This route does not read from Postgres.
      { method: 'GET', path: '/v1/health/live' },
      { method: 'GET', path: `/v1/jobs/${jobId}/status` },
      { method: 'POST', path: '/v1/browse', body: JSON.stringify({ type: 'pathways', limit: 20 }) },
    ]
    const rows: Row[] = []
    for (const call of calls) rows.push(...(await compare(bench, call)))
    return [...rows, await measureChecks(bench)]
  },
}

/** Sends the call many times to both sides, in alternation. */
async function compare({ ours, samples }: Bench, call: Call): Promise<Row[]> {
  const dispatcher = new Agent({ connections: IN_FLIGHT, keepAliveTimeout: 60_000 })
  const headers = { authorization: ours.authorization, 'content-type': 'application/json' }
  const latencies: Samples = { ours: [], bare: [] }

  async function send(baseUrl: string): Promise<{ headers: Record<string, string>; body: string }> {
    const response = await request(baseUrl + call.path, { method: call.method, headers, dispatcher, body: call.body })
    const body = await response.body.text()
    if (response.statusCode !== 200) throw new Error(`${call.path} answered ${response.statusCode}: ${body}`)
    return { headers: response.headers as Record<string, string>, body }
  }

  const bare = await startServer(call, await send(ours.baseUrl))
  const round = async (side: 'ours' | 'bare', baseUrl: string) => {
    const all = Array.from({ length: samples(REQUESTS) })
    const took = await timed(() =>
      forEach(all, IN_FLIGHT, async () => void latencies[side].push(await timed(() => send(baseUrl)))),
    )
    return all.length / (took / 1_000)
  }
  try {
    const rates = await takeTurns(
      { ours: () => round('ours', ours.baseUrl), bare: () => round('bare', bare.baseUrl) },
      ROUNDS,
      1,
    )
    const name = `${call.method} ${call.path.replace(/jobs\/[^/]+/, 'jobs/:id')}, ${IN_FLIGHT} at a time`
    return [
      { name, unit: 'requests/s', samples: rates, aim: { of: 'ratio', atLeast: 0.6 } },
      { name, unit: 'ms', samples: latencies },
    ]
  } finally {
    await Promise.all([bare.end(), dispatcher.destroy()])
  }
}

/** Starts the bare server in its own process, which sends the given response. */
async function startServer({ method, path }: Call, answer: { headers: Record<string, string>; body: string }) {
  const { connection: _connection, 'keep-alive': _keep, date: _date, ...headers } = answer.headers
  const answers = JSON.stringify({ [`${method} ${path}`]: { headers, body: answer.body } })
  const server = await startProcess('test/bench/bare/http-main.ts', {}, text => text.includes('port='), [answers])
  const port = /port=(\d+);/.exec(server.output())?.[1]
  return { baseUrl: `http://127.0.0.1:${port}`, end: () => server.end() }
}

/** Authentication and request counting as in the API, compared with a round trip to Redis. */
async function measureChecks({ stack, ours, samples }: Bench): Promise<Row> {
  const { db } = stack.database
  const access = createTestAccess(db, {}, stack.env.API_KEY_SECRET)
  const plans = buildPlans(db)
  const redis = openCounters(stack.env.REDIS_URL ?? '', pino({ level: 'silent' }))
  await once(redis, 'ready')
  const limiter = createRateLimiter(redis)
  const [, token = ''] = ours.authorization.split(' ')
  const subject = `bench:${randomUUID()}`
  const check = async () => {
    const { principal } = await access.authenticate({ kind: 'api_key', token })
    const { requests_per_minute } = await plans.find(principal.workspace_id)
    await limiter.count(subject, requests_per_minute)
  }
  try {
    const taken = await takeTurns({ ours: () => timed(check), bare: () => timed(() => redis.ping()) }, samples(CHECKS))
    return {
      name: 'authentication and limits / PING of Redis',
      unit: 'ms',
      samples: taken,
      aim: { of: 'median', atMost: 0.3 },
    }
  } finally {
    await closeRedis(redis)
  }
}
