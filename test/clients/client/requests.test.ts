import {
  APIError,
  ConflictError,
  type Ganglion,
  GanglionError,
  NotFoundError,
  RateLimitError,
  RunFailedError,
} from '@ganglion/client'
import { refusal, type Reply, type SeenRequest, startServer } from './http-server.ts'

const ACCEPTED = { job_id: 'j-1', status: 'pending' }

async function withServer<T>(
  answer: (request: SeenRequest, count: number) => Reply | 'hang' | 'cut',
  work: (server: Awaited<ReturnType<typeof startServer>>) => Promise<T>,
): Promise<T> {
  const server = await startServer(answer)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

describe('retries', () => {
  test('when a server starts the job and then responds with 503, the retry uses the same key and starts no second job', async () => {
    const jobs = new Map<unknown, string>()
    const answer = ({ headers, url }: SeenRequest): Reply => {
      const key = headers['idempotency-key']
      const isFirst = !jobs.has(key)
      const job_id = jobs.get(key) ?? `job-${jobs.size}`
      jobs.set(key, job_id)
      expect(url).toBe('/v1/pathways/pay/execute')
      return isFirst ? refusal(503, 'UNAVAILABLE') : { status: 202, body: { job_id, status: 'pending' } }
    }
    await withServer(answer, async ({ client, seen }) => {
      const run = await client().pathways.run('pay', { input: {} })
      expect(run.jobId).toBe('job-0')
      expect(seen).toHaveLength(2)
      expect(jobs.size).toBe(1)
      await client().pathways.run('pay', { input: {} })
      expect(jobs.size).toBe(2)
    })
  })

  const invoke = ({ neurons }: Ganglion) => neurons.invoke('n', { message: 'hi' })
  const cancel = ({ jobs }: Ganglion) => jobs.cancel('j')
  const read = ({ jobs }: Ganglion) => jobs.get('j')
  const cases: [
    name: string,
    reply: Reply | 'cut',
    send: (client: Ganglion) => PromiseLike<unknown>,
    requests: number,
  ][] = [
    ['RUN_FAILED, because a retry would run the agent again', refusal(502, 'RUN_FAILED'), invoke, 1],
    ['CONFLICT between versions', refusal(409, 'CONFLICT'), invoke, 1],
    ['INTERNAL', refusal(500, 'INTERNAL'), read, 1],
    ['UNAVAILABLE for a read', refusal(503, 'UNAVAILABLE', 0), read, 3],
    ['UNAVAILABLE for a request with a key', refusal(503, 'UNAVAILABLE', 0), invoke, 3],
    ['UNAVAILABLE for a request that may take effect twice', refusal(503, 'UNAVAILABLE', 0), cancel, 1],
    ['RATE_LIMIT, which has no effect', refusal(429, 'RATE_LIMIT', 0), cancel, 3],
    ['a gateway without the service', { status: 502, body: '<html>Bad Gateway</html>' }, read, 3],
    ['a gateway that may have forwarded the request', { status: 504, body: '' }, cancel, 1],
    ['a broken connection', 'cut', read, 3],
    ['a broken connection for a request that may take effect twice', 'cut', cancel, 1],
  ]
  test.each(cases)('%s: requests are sent as often as is safe', async (_, reply, send, requests) => {
    await withServer(
      () => reply,
      async ({ client, seen }) => {
        await expect(Promise.resolve(send(client()))).rejects.toThrow(GanglionError)
        expect(seen).toHaveLength(requests)
        expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
      },
    )
  })

  test('the delay requested by the service is respected, unless it exceeds the call timeout', async () => {
    await withServer(
      () => refusal(429, 'RATE_LIMIT', 30),
      async ({ client, seen }) => {
        const error = await client({ timeout: 5_000 })
          .jobs.get('j')
          .catch((caught: unknown) => caught)
        expect(error).toBeInstanceOf(RateLimitError)
        expect(error).toMatchObject({ retryAfter: 30, status: 429 })
        expect(seen).toHaveLength(1)
      },
    )
  })
})

describe('a call', () => {
  test('returns the response metadata', async () => {
    const headers = {
      'x-request-id': 'r-1',
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': '599',
      'x-ratelimit-reset': '1700000000',
    }
    await withServer(
      () => ({ status: 202, headers, body: ACCEPTED }),
      async ({ client, seen }) => {
        const answer = await client().pathways.execute('p', {}, { idempotencyKey: 'mine', brain: 'b-1' }).withResponse()
        expect(answer).toMatchObject({
          data: ACCEPTED,
          requestId: 'r-1',
          idempotencyKey: 'mine',
          rateLimit: { limit: 600, remaining: 599, reset: new Date(1_700_000_000_000) },
        })
        expect(answer.response.status).toBe(202)
        expect(seen[0]?.headers).toMatchObject({ 'idempotency-key': 'mine', 'x-brain-id': 'b-1' })
      },
    )
  })

  test.each(['', '/', '//', '/prefix', '/prefix/'])('uses the base URL that ends with "%s"', async end => {
    await withServer(
      () => ({ body: {} }),
      async ({ client, url, seen }) => {
        await client({ baseUrl: `${url}${end}` }).jobs.list({ status: ['failed', 'paused'], title: undefined })
        expect(seen[0]?.url).toBe(`${end.replace(/\/+$/, '')}/v1/jobs?status=failed%2Cpaused`)
      },
    )
  })

  test("ends at its time limit, on the caller's signal, and if no server is listening", async () => {
    await withServer(
      () => 'hang',
      async ({ client, url }) => {
        await expect(client().jobs.get('j', { timeout: 50 }).catch(toName)).resolves.toBe('TimeoutError')
        const signal = AbortSignal.timeout(50)
        await expect(client().jobs.get('j', { signal }).catch(toName)).resolves.toBe('AbortedError')
        await expect(client().jobs.get('j', { signal }).catch(toName)).resolves.toBe('AbortedError')
        await expect(client().jobs.run('j').result({ signal }).catch(toName)).resolves.toBe('AbortedError')
        const away = client({ baseUrl: url.replace(/\d+$/, '1'), maxRetries: 0 })
        await expect(away.jobs.get('j').catch(toName)).resolves.toBe('ConnectionError')
      },
    )
  })

  test('throws an error of the class for its code, which another copy of the package recognizes', async () => {
    const details = [{ pointer: '/slug', message: 'is taken' }]
    const replies: Reply[] = [
      { status: 404, headers: { 'x-request-id': 'r-2' }, body: { code: 'NOT_FOUND', message: 'Job does not exist' } },
      { status: 409, body: { code: 'CONFLICT', message: 'taken', details } },
      { status: 418, body: { code: 'NEW_CODE', message: 'a code of a newer service' } },
      refusal(502, 'RUN_FAILED'),
    ]
    await withServer(
      (_, count) => replies[count - 1] as Reply,
      async ({ client }) => {
        const fail = () =>
          client()
            .jobs.get('j')
            .catch((error: unknown) => error)
        const [missing, conflict, unknown, failed] = [await fail(), await fail(), await fail(), await fail()]
        expect(missing).toBeInstanceOf(NotFoundError)
        expect(missing).toMatchObject({ code: 'NOT_FOUND', status: 404, requestId: 'r-2', name: 'NotFoundError' })
        expect(conflict).toBeInstanceOf(ConflictError)
        expect(conflict).toMatchObject({ details })
        expect(unknown).toMatchObject({ code: 'NEW_CODE', constructor: APIError })
        expect(failed).toBeInstanceOf(RunFailedError)
        const url = new URL('../../../client/src/errors.ts?copy', import.meta.url).href
        const copy = (await import(url)) as { GanglionError: typeof GanglionError; APIError: typeof APIError }
        expect(missing).not.toBeInstanceOf(copy.GanglionError)
        expect(copy.GanglionError.is(missing)).toBe(true)
        expect(copy.APIError.is(missing, 'NOT_FOUND')).toBe(true)
        expect(copy.APIError.is(missing, 'CONFLICT')).toBe(false)
        expect(GanglionError.is(new Error('other'))).toBe(false)
      },
    )
  })
})

describe('credentials', () => {
  test('a publishable key is sent with a token that is requested each time, and a share token is sent in the query or body', async () => {
    let requestCount = 0
    await withServer(
      () => ({ body: {} }),
      async ({ client, seen }) => {
        const browser = client({ apiKey: undefined, publishableKey: 'pk', getToken: () => `jwt-${++requestCount}` })
        await browser.jobs.get('j')
        await browser.jobs.get('j')
        expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer jwt-1', 'Bearer jwt-2'])
        expect(seen[0]?.headers['x-publishable-key']).toBe('pk')
        const visitor = client({ apiKey: undefined, shareToken: 'st' })
        await visitor.public.getTrace('t-1')
        await visitor.public.continueTrace('t-1', { message: 'hi' })
        expect(seen[2]?.url).toBe('/v1/public/traces/t-1?t=st')
        expect(JSON.parse(seen[3]?.body ?? '')).toEqual({ message: 'hi', t: 'st' })
        expect(seen[3]?.headers.authorization).toBeUndefined()
      },
    )
  })
})

describe('a list', () => {
  const jobs = Array.from({ length: 5 }, (_, i) => ({ job_id: `j-${i}` }))
  const serve = (items: object[]) => (request: SeenRequest) => {
    const query = new URL(request.url, 'http://x').searchParams
    const [limit, offset] = [Number(query.get('limit') ?? 2), Number(query.get('offset') ?? 0)]
    return { body: { jobs: items.slice(offset, offset + limit), total: items.length, limit, offset } }
  }

  test('returns a page when awaited, and all elements with for await', async () => {
    await withServer(serve(jobs), async ({ client, seen }) => {
      const list = client().jobs.list({ limit: 2 })
      const page = await list
      expect([page.data.length, page.total, page.hasNextPage()]).toEqual([2, 5, true])
      expect((await page.nextPage()).data).toEqual(jobs.slice(2, 4))
      expect(await Array.fromAsync(list)).toEqual(jobs)
      expect(await client().jobs.list({ limit: 2 }).toArray({ max: 3 })).toEqual(jobs.slice(0, 3))
      expect(seen[0]?.url).toBe('/v1/jobs?limit=2')
    })
  })

  test('returns each element once while other elements are inserted before it', async () => {
    const items = [...jobs]
    const answer = (request: SeenRequest) => {
      const reply = serve(items)(request)
      items.unshift({ job_id: `new-${items.length}` })
      return reply
    }
    await withServer(answer, async ({ client }) => {
      expect(await client().jobs.list({ limit: 2 }).toArray()).toEqual(jobs)
    })
  })
})

const toName = (error: unknown) => (error as Error).name
