import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendants } from '../../dev/machine/process-table.ts'
import { startComponents } from '../../dev/stack/components.ts'
import { readState } from '../../dev/stack/state/state.ts'
import { readEnvironment } from '../../config/environment.ts'
import { waitUntil } from '../support/stack/process.ts'
import type { Embedder } from '../../search/embedding/embedder.ts'
import { cosine, embedderWith, lengthOf } from './embedder.ts'

/** Returns different texts of different lengths. */
const manyTexts = (count: number, words = 12): string[] =>
  Array.from({ length: count }, (_, i) => `Invoice ${i} was sent by supplier ${i % 7}. `.repeat(1 + (i % words)))

describe('the model of the development server', () => {
  let embedder: Embedder

  beforeAll(() => {
    embedder = embedderWith()
  })
  afterAll(() => embedder.close())

  const embedOne = async (text: string) => (await embedder.embed([text]))[0]

  test('becomes ready and reports the name that indexes use', async () => {
    expect(embedder.model).toBe('builtin:all-MiniLM-L6-v2-int8')
    expect(embedder.dimensions).toBe(384)
    await embedder.ready()
  })

  test('puts texts with similar meanings close together, even with different words', async () => {
    const [cat, kitten, rates] = await embedder.embed([
      'A cat is sleeping on the sofa',
      'The kitten naps on the couch',
      'The central bank raised interest rates',
    ])
    expect(cosine(cat, kitten)).toBeGreaterThan(0.5)
    expect(cosine(cat, rates)).toBeLessThan(0.2)
  })

  test('returns unit vectors of the declared length, even for an empty text and a text beyond any limit', async () => {
    const vectors = await embedder.embed([
      '',
      ' \n',
      'word',
      '\u0000 \ud800 [SEP] 😀',
      'endless words '.repeat(200_000),
    ])
    expect(vectors.map(vector => vector.length)).toEqual(Array<number>(5).fill(384))
    for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 4)
    expect(await embedder.embed([])).toEqual([])
  })

  test('reads the start of a long text', async () => {
    const beginning = 'The heat moves through the wall of the boiler. '.repeat(40)
    const [alone, followed] = await embedder.embed([beginning, `${beginning} Cats and dogs. `.repeat(3)])
    expect(cosine(alone, followed)).toBeCloseTo(1, 5)
  })

  test('a text gets the same vector alone and in a batch, and the order is preserved', async () => {
    const texts = manyTexts(60)
    const together = await embedder.embed(texts)
    for (const i of [0, 1, 11, 30, 59]) expect(cosine(together[i], await embedOne(texts[i] ?? ''))).toBeCloseTo(1, 5)
    expect(cosine(together[0], together[11])).toBeLessThan(0.99)
  })

  test('counts the tokens that the model reads', async () => {
    const counts: number[] = []
    const onUsage = (tokens: number) => void counts.push(tokens)
    await embedder.embed(['heat'], { onUsage })
    await embedder.embed(['heat '.repeat(400)], { onUsage })
    await embedder.embed(Array<string>(10).fill('heat'), { onUsage })
    expect(counts).toEqual([3, 256, 30])
  })

  test('queries do not wait for a long batch', async () => {
    const ended: string[] = []
    const note = (name: string) => () => void ended.push(name)
    const batch = embedder.embed(manyTexts(1_000, 3)).then(note('batch'))
    for (let i = 0; i < 10; i++) await embedder.embed([`question ${i}`]).then(note('query'))
    const few = Array.from({ length: 20 }, (_, i) => embedder.embed([`at once ${i}`]).then(note('query')))
    await Promise.all([batch, ...few])
    expect(ended).toEqual([...Array<string>(30).fill('query'), 'batch'])
  })

  test('a batch continues during an endless stream of queries', async () => {
    const over = new AbortController()
    const searches = Array.from({ length: 3 }, async () => {
      while (!over.signal.aborted) await embedder.embed(['another question'])
    })
    expect(await embedder.embed(manyTexts(100, 2))).toHaveLength(100)
    over.abort()
    await Promise.all(searches)
  })

  test('a cancel ends a batch immediately, and the next batch still works', async () => {
    const reason = new Error('no longer wanted')
    const controller = new AbortController()
    const batch = embedder.embed(manyTexts(1_000), { signal: controller.signal })
    await embedOne('something in between')
    controller.abort(reason)
    await expect(batch).rejects.toBe(reason)
    await expect(embedder.embed(['x'], { signal: controller.signal })).rejects.toBe(reason)
    expect(lengthOf(await embedOne('after it'))).toBeCloseTo(1, 4)
  })

  test.each([
    ['/v1/embeddings', '{', 400],
    ['/v1/embeddings', '{"model":"x"}', 400],
    ['/v1/embeddings', '{"input":[1]}', 400],
    ['/v1/completions', '{}', 404],
  ])('POST %s %s: %d', async (path, body, status) => {
    const url = new URL(path, readEnvironment()['EMBEDDING_BASE_URL'])
    const response = await fetch(url, { method: 'POST', body })
    expect([response.status, await response.json()]).toEqual([status, { error: expect.anything() }])
  })
})

const isIdle = (pid: number) =>
  execFileSync('chrt', ['--pid', String(pid)], { encoding: 'utf8' }).includes('SCHED_IDLE')

test('batches are embedded in the idle scheduling class, and outside of it if that class gets no CPU time', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'embeddings-'))
  const server = await startComponents({
    names: ['embeddings'],
    stateDir,
    ports: 'any',
    environment: {},
    docker: false,
  })
  const embedder = embedderWith(server.env)
  try {
    const { pid = 0 } = readState(stateDir).running['embeddings']?.process ?? {}
    const findIdle = () => descendants(pid).filter(child => isIdle(child.pid))
    await waitUntil(() => findIdle().length === Math.min(2, availableParallelism()))
    const texts = manyTexts(20)
    const [before] = await embedder.embed(texts)
    for (const child of findIdle()) process.kill(child.pid, 'SIGSTOP')
    const [after] = await embedder.embed(texts)
    expect(cosine(before, after)).toBeCloseTo(1, 5)
  } finally {
    await embedder.close()
    await server.discard()
  }
})
