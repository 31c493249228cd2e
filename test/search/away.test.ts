import type { RequestListener } from 'node:http'
import { randomUUID } from 'node:crypto'
import { Unavailable } from '../../domain/shared/errors.ts'
import { openSearch, type Search, type SearchSettings } from '../../search/search.ts'
import { readBody, startHttpServer } from '../support/stack/http-server.ts'
import { createTcpGate } from '../support/stack/tcp-gate.ts'
import { conceptEmbedder } from './concepts.ts'
import { READ_TIMEOUT_MS, resource, useSearch } from './search-fixture.ts'
import { nextFree } from '../../dev/machine/ports.ts'

const fixture = useSearch()
const workspace_id = randomUUID()
const QUERY = { workspace_id, brain_ids: null, query: 'a dog', mode: 'hybrid' as const, limit: 10, offset: 0 }

const searchAt = (url: string, settings: Partial<SearchSettings> = {}) =>
  openSearch({ url, prefix: fixture.prefix, readTimeoutMs: READ_TIMEOUT_MS, embedder: conceptEmbedder, ...settings })

beforeAll(() => fixture.put(resource({ workspace_id, title: 'Dogs', texts: ['a dog', 'a puppy'] })))

/** Checks that every operation that needs Elasticsearch reports it as unavailable. */
async function expectAway(search: Search): Promise<void> {
  const put = resource({ workspace_id })
  const attempts = [
    search.search(QUERY),
    search.search({ ...QUERY, mode: 'keyword' }),
    search.ensure(),
    search.createTarget(),
    search.listIndices(),
    search.refresh(),
    search.write([{ put }]),
    search.write([{ remove: { resource_id: put.resource_id, revision: 2n, formerParts: 1 } }]),
  ]
  await Promise.all(attempts.map(attempt => expect(attempt).rejects.toThrow(Unavailable)))
}

test('a search is unavailable immediately if nothing listens at the address', async () => {
  const search = searchAt(`http://127.0.0.1:${await nextFree()}`)
  await expectAway(search)
  await expect(search.ping()).rejects.toThrow(Unavailable)
  await search.close()
})

test('Elasticsearch is used again without a restart after an outage', async () => {
  const gate = await createTcpGate(fixture.url)
  const search = searchAt(gate.through(fixture.url))
  expect((await search.search(QUERY)).matches).toHaveLength(1)
  await gate.shut()
  for (let attempt = 0; attempt < 5; attempt++) await expect(search.search(QUERY)).rejects.toThrow(Unavailable)
  await gate.open()
  expect((await search.search(QUERY)).matches).toHaveLength(1)
  await search.close()
  await gate.close()
})

test('a search is unavailable while the service accepts connections but sends nothing, and works again later', async () => {
  const gate = await createTcpGate(fixture.url)
  const search = searchAt(gate.through(fixture.url), { readTimeoutMs: 3_000 })
  await search.ping()
  gate.stall()
  await expect(search.search(QUERY)).rejects.toThrow(Unavailable)
  await expect(search.ping()).rejects.toThrow(Unavailable)
  gate.resume()
  expect((await search.search(QUERY)).matches).toHaveLength(1)
  await search.close()
  await gate.close()
})

test('a caller that aborts gets its own abort reason, and the request is cancelled', async () => {
  const gate = await createTcpGate(fixture.url)
  const search = searchAt(gate.through(fixture.url))
  gate.stall()
  const gone = new AbortController()
  const searching = search.search(QUERY, { signal: gone.signal })
  gone.abort(new Error('the client is gone'))
  await expect(searching).rejects.toThrow('the client is gone')
  await expect(search.search(QUERY, { signal: gone.signal })).rejects.toThrow('the client is gone')
  await search.close()
  await gate.close()
})

test("a search fails with the embedder's error, and the query in flight is aborted", async () => {
  const [arrived, dropped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = await startHttpServer((_, response) => {
    response.once('close', dropped.resolve)
    arrived.resolve()
  })
  const embed = () => arrived.promise.then(() => Promise.reject(new Unavailable('no vectors today')))
  const search = searchAt(server.url, { embedder: { ...conceptEmbedder, embed } })
  await expect(search.search(QUERY)).rejects.toThrow('no vectors today')
  await dropped.promise
  await search.close()
  await server.close()
})

describe('an invalid response', () => {
  /** Runs an Elasticsearch stand-in that returns the given response. */
  async function answering(status: number, body: unknown, use: (search: Search) => Promise<void>): Promise<void> {
    const listener: RequestListener = (request, response) => {
      void readBody(request).then(() => {
        response.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      })
    }
    const server = await startHttpServer(listener)
    const search = searchAt(server.url)
    try {
      await use(search)
    } finally {
      await search.close()
      await server.close()
    }
  }

  const hits = { hits: { hits: [{ _id: 'r:0', _score: 1 }] } }
  const whole = { total: 1, successful: 1, failed: 0 }

  test.each([
    ['with partial results after a timeout', 200, { ...hits, timed_out: true, _shards: whole }],
    ['with results from some shards', 200, { ...hits, timed_out: false, _shards: { ...whole, failed: 1 } }],
    ['about missing shards', 503, { error: { type: 'search_phase_execution_exception' }, status: 503 }],
    ['about a missing index', 404, { error: { type: 'index_not_found_exception' }, status: 404 }],
    ['about an overload', 429, { error: { type: 'circuit_breaking_exception' }, status: 429 }],
    ['about a refused key', 401, { error: { type: 'security_exception' }, status: 401 }],
    ['from a gateway', 502, '<html>Bad gateway</html>'],
    ['that cannot be parsed', 200, '{"hits":'],
  ])('%s: the search is unavailable', async (_, status, body) => {
    await answering(status, body, async search => {
      await expect(search.search(QUERY)).rejects.toThrow(Unavailable)
    })
  })

  test('does not reveal the query', async () => {
    const secret = 'the secret of the house'
    await answering(400, { error: { type: 'parsing_exception', reason: 'no' }, status: 400 }, async search => {
      const error = await search.search({ ...QUERY, query: secret }).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(Unavailable)
      expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(secret)
    })
  })

  test('that combines two indices because one replaced the other in between is incomplete', async () => {
    const items = ['former', 'next'].map(_index => ({ index: { status: 201, _index } }))
    const put = resource({ texts: Array.from({ length: 129 }, () => 'a dog') })
    await answering(200, { errors: false, items }, async search => {
      expect(await search.write([{ put }])).toMatchObject([{ ok: false, retry: true }])
    })
  })

  test('to a part of a request: that part is retried, and the other parts are done', async () => {
    const busy = { index: { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'queue is full' } } }
    const body = { errors: true, items: [{ index: { status: 201 } }, busy] }
    await answering(200, body, async search => {
      expect(await search.write([{ put: resource({}) }, { put: resource({}) }])).toMatchObject([
        { ok: true, parts: 1 },
        { ok: false, retry: true, reason: 'es_rejected_execution_exception: queue is full' },
      ])
    })
  })
})

test('an API key is sent with each request', async () => {
  const server = await startHttpServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
    response.end(JSON.stringify({ seen: request.headers.authorization }))
    seen.push(request.headers.authorization)
  })
  const seen: (string | undefined)[] = []
  const search = searchAt(server.url, { apiKey: 'key' })
  await search.ping()
  expect(seen).toEqual(['ApiKey key'])
  await search.close()
  await server.close()
})
