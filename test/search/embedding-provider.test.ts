import { inspect } from 'node:util'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { Embedder } from '../../search/embedding/embedder.ts'
import { waitUntil } from '../support/stack/process.ts'
import { cosine, embedderWith, lengthOf } from './embedder.ts'
import { type EmbeddingRefusal, type EmbeddingServer, lettersOf, startEmbeddingServer } from './embedding-server.ts'

const KEY = 'sk-very-secret'

describe("a provider's model", () => {
  let server: EmbeddingServer
  let settings: Record<string, string>
  const opened: Embedder[] = []

  beforeAll(async () => {
    server = await startEmbeddingServer()
    settings = {
      EMBEDDING_MODEL: 'letters-3',
      EMBEDDING_DIMENSIONS: '3',
      EMBEDDING_BASE_URL: `${server.base_url}/`,
      EMBEDDING_API_KEY: KEY,
      EMBEDDING_BATCH: '4',
    }
  })
  beforeEach(() => void server.requests.splice(0))
  afterAll(async () => {
    await Promise.all(opened.map(embedder => embedder.close()))
    await server.close()
  })

  function open(changes: Record<string, string> = {}): Embedder {
    const embedder = embedderWith({ ...settings, ...changes })
    opened.push(embedder)
    return embedder
  }

  test('is called in batches with its key, and returns unit vectors in order', async () => {
    const embedder = open()
    expect(embedder).toMatchObject({ model: 'letters-3', dimensions: 3 })
    const texts = ['a', 'b', 'ab', 'abc', 'cc', 'b']
    const vectors = await embedder.embed(texts)
    expect(server.requests.map(({ body }) => body.input)).toEqual([texts.slice(0, 4), texts.slice(4)])
    expect(server.requests[0]).toMatchObject({ authorization: `Bearer ${KEY}`, body: { model: 'letters-3' } })
    for (const [i, text] of texts.entries()) {
      expect(lengthOf(vectors[i])).toBeCloseTo(1, 5)
      const letters = Float32Array.from(lettersOf(text))
      expect(cosine(vectors[i], letters)).toBeCloseTo(lengthOf(letters), 4)
    }
    expect(await embedder.embed([])).toEqual([])
  })

  test('receives no empty text, no half character, and at most twice the chunk size of a long text', async () => {
    await open({ EMBEDDING_CHUNK_TOKENS: '16' }).embed(['', ' \n', 'half \ud800', 'word '.repeat(1_000_000)])
    const [empty, blank, half, long = ''] = server.requests[0]?.body.input ?? []
    expect([empty, blank, half]).toEqual(['-', '-', 'half \ufffd'])
    expect(long.split(' ')).toHaveLength(32)
  })

  test('chunks have the configured size', async () => {
    const text = `# Title\n\n${'Some words of prose. '.repeat(200)}`
    const chunks = await open({ EMBEDDING_CHUNK_TOKENS: '64' }).chunk(text)
    expect(chunks.length).toBeGreaterThan(15)
    expect(chunks.every(({ tokens, heading }) => tokens <= 64 && heading === 'Title')).toBe(true)
    expect(server.requests).toEqual([])
  })

  test('a short text is chunked while a long text is being chunked, and chunking the long text can be cancelled', async () => {
    const embedder = open()
    const text = 'One more sentence about nothing in particular. '.repeat(40).concat('\n\n').repeat(500)
    const ended: string[] = []
    const chunking = embedder.chunk(text).then(chunks => ended.push(`${chunks.length > 500}`))
    await embedder.chunk('A sentence.').then(([chunk]) => ended.push(chunk?.text ?? ''))
    await chunking
    expect(ended).toEqual(['A sentence.', 'true'])

    const controller = new AbortController()
    const cancelled = embedder.chunk(text, { signal: controller.signal })
    controller.abort(new Error('no longer wanted'))
    await expect(cancelled).rejects.toThrow('no longer wanted')
    expect(await embedder.chunk(' \n')).toEqual([])
  })

  test.each<[EmbeddingRefusal, string]>([
    [{ status: 401 }, 'The embedding provider rejected the credentials (401)'],
    [{ status: 404 }, 'The embedding provider does not have the model "letters-3"'],
    [{ status: 500 }, 'The embedding provider failed (500)'],
    [{ status: 400 }, 'The embedding provider failed (400)'],
    [{ instead: 'longer' }, "EMBEDDING_DIMENSIONS is 3, but the model's vectors have 4"],
    [{ instead: 'fewer' }, 'The embedding provider sent an invalid response'],
    [{ instead: 'flood' }, 'The embedding provider sent an invalid response'],
  ])(
    'a failure is reported without any text that the provider quotes, and nothing is retried: %j',
    async (refusal, message) => {
      server.refuseNext({ error: `Incorrect API key provided: ${KEY}`, ...refusal })
      const error: unknown = await open()
        .embed(['private text'])
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Unavailable)
      expect(error).toMatchObject({ message })
      expect(inspect(error, { depth: 9 })).not.toMatch(/sk-very-secret|private text/)
      expect(server.requests).toHaveLength(1)
    },
  )

  test('a request to slow down reports the requested delay to the caller', async () => {
    server.refuseNext({ status: 429, headers: { 'retry-after': '17' } })
    await expect(open().embed(['x'])).rejects.toMatchObject({ status: 503, retryAfter: 17 })
    server.refuseNext({ status: 429, headers: { 'retry-after': 'tomorrow' } })
    await expect(open().embed(['x'])).rejects.toMatchObject({ status: 503, retryAfter: 2 })
  })

  test('calls to a provider that is silent or unavailable time out', async () => {
    server.refuseNext({ instead: 'hang' })
    await expect(open({ EMBEDDING_TIMEOUT_SECONDS: '1' }).embed(['x'])).rejects.toThrow('was unreachable')
    const unreachable = open({ EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1' })
    await expect(unreachable.embed(['x'])).rejects.toThrow('was unreachable')
    await expect(unreachable.ready()).rejects.toThrow(Unavailable)
  })

  test('a cancel closes the connection', async () => {
    server.refuseNext({ instead: 'hang' })
    const controller = new AbortController()
    const reason = new Error('no longer wanted')
    const embedding = expect(open().embed(['x'], { signal: controller.signal })).rejects.toBe(reason)
    await waitUntil(() => server.requests.length === 1)
    controller.abort(reason)
    await embedding
    await waitUntil(() => server.requests[0]?.aborted)
  })

  test('ready() sends one request, and another one after a failure', async () => {
    const embedder = open()
    server.refuseNext({ status: 500 })
    await expect(embedder.ready()).rejects.toThrow('failed (500)')
    await embedder.ready()
    await embedder.ready()
    expect(server.requests).toHaveLength(2)
  })

  test('the key for the language model provider is sent to no other address', async () => {
    const shared = { EMBEDDING_API_KEY: '', MODEL_API_KEY: 'sk-shared', MODEL_BASE_URL: server.base_url }
    await open(shared).embed(['x'])
    await open({ ...shared, EMBEDDING_BASE_URL: '' }).embed(['x'])
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer sk-shared'])
  })
})

test('if the address is missing, the error contains the name of the setting', async () => {
  const embedder = embedderWith({ EMBEDDING_BASE_URL: '', MODEL_BASE_URL: '', MODEL_DEFAULT: '', EMBEDDING_MODEL: '' })
  expect(embedder.dimensions).toBe(384)
  await expect(embedder.ready()).rejects.toThrow('set EMBEDDING_BASE_URL')
  await embedder.close()
})

describe('the settings', () => {
  const none = { EMBEDDING_BASE_URL: '', MODEL_BASE_URL: '', EMBEDDING_DIMENSIONS: '' }

  test.each([
    [{ EMBEDDING_MODEL: 'some-model' }, 'EMBEDDING_DIMENSIONS: is required'],
    [{ EMBEDDING_MODEL: 'some-model' }, 'EMBEDDING_BASE_URL: is required'],
  ])('%j: %s', (changes, message) => {
    expect(() => embedderWith({ ...none, ...changes })).toThrow(message)
  })
})
