import { type ChildProcess, execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createReadStream } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnvironment } from '../../config/environment.ts'
import { Unavailable } from '../../domain/errors.ts'
import type { Embedder } from '../../search/embedding/embedder.ts'
import { descendants } from '../../dev/machine/process-table.ts'
import { createModelProcess } from '../../search/embedding/model-process.ts'
import { startHttpServer } from '../support/http-server.ts'
import { cosine, embedderWith, lengthOf } from './embedder.ts'

const MODEL_DIR = readEnvironment()['EMBEDDING_MODEL_DIR'] ?? ''

/** Different texts of different lengths. */
const manyTexts = (count: number, words = 12): string[] =>
  Array.from({ length: count }, (_, i) => `Invoice ${i} was sent by supplier ${i % 7}. `.repeat(1 + (i % words)))

/** Notes the processes that this one starts. */
function noteProcesses() {
  const started: ChildProcess[] = []
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  return { started, stopNoting: () => unsubscribe('child_process', note) }
}

const isModelProcess = ({ spawnargs }: ChildProcess) =>
  spawnargs.some(each => each.endsWith('embedding/process/main.ts'))
/** The process itself, which may run below those that made its namespaces. */
const innermost = ({ pid = 0 }: ChildProcess) => descendants(pid).at(-1)?.pid ?? pid
const isIdle = (pid: number) =>
  execFileSync('chrt', ['--pid', String(pid)], { encoding: 'utf8' }).includes('SCHED_IDLE')

describe('the built-in model', () => {
  let embedder: Embedder

  beforeAll(() => {
    embedder = embedderWith()
  })
  afterAll(() => embedder.close())

  const embedOne = async (text: string) => (await embedder.embed([text]))[0]

  test('says what it is, and is ready', async () => {
    expect(embedder.model).toBe('builtin:all-MiniLM-L6-v2-int8')
    expect(embedder.dimensions).toBe(384)
    await embedder.ready()
  })

  test('puts texts of like meaning close together, also with other words', async () => {
    const [cat, kitten, rates] = await embedder.embed([
      'A cat is sleeping on the sofa',
      'The kitten naps on the couch',
      'The central bank raised interest rates',
    ])
    expect(cosine(cat, kitten)).toBeGreaterThan(0.5)
    expect(cosine(cat, rates)).toBeLessThan(0.2)
  })

  test('gives unit vectors of its length, also of an empty text and of one beyond any limit', async () => {
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

  test('reads the beginning of a long text and cuts off the rest', async () => {
    const beginning = 'The heat moves through the wall of the boiler. '.repeat(40)
    const [alone, followed] = await embedder.embed([beginning, `${beginning} Cats and dogs. `.repeat(3)])
    expect(cosine(alone, followed)).toBeCloseTo(1, 5)
    const wordsOfTruncated: number[] = []
    for (const words of [254, 255]) {
      const onTruncation = () => void wordsOfTruncated.push(words)
      await embedder.embed(['a short text', 'heat '.repeat(words)], { onTruncation })
    }
    expect(wordsOfTruncated).toEqual([255])
  })

  test('a text has the same vector alone and among others, and the order is kept', async () => {
    const texts = manyTexts(60)
    const together = await embedder.embed(texts)
    for (const i of [0, 1, 11, 30, 59]) expect(cosine(together[i], await embedOne(texts[i] ?? ''))).toBeCloseTo(1, 5)
    expect(cosine(together[0], together[11])).toBeLessThan(0.99)
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

  test('a batch goes on beside queries that never end', async () => {
    const over = new AbortController()
    const searches = Array.from({ length: 3 }, async () => {
      while (!over.signal.aborted) await embedder.embed(['another question'])
    })
    expect(await embedder.embed(manyTexts(100, 2))).toHaveLength(100)
    over.abort()
    await Promise.all(searches)
  })

  test('a cancel ends a batch at once, and what comes after it works', async () => {
    const reason = new Error('no longer wanted')
    const controller = new AbortController()
    const batch = embedder.embed(manyTexts(1_000), { signal: controller.signal })
    await embedOne('something in between')
    controller.abort(reason)
    await expect(batch).rejects.toBe(reason)
    await expect(embedder.embed(['x'], { signal: controller.signal })).rejects.toBe(reason)
    expect(lengthOf(await embedOne('after it'))).toBeCloseTo(1, 4)
  })

  test('chunks a text by what the model reads', async () => {
    const prose = 'The supplier sent an unexpectedly long reminder concerning invoice 4711-β. '
    const text = `# Reminders\n\n${prose.repeat(300)}\n\n## Late\n\n${'x'.repeat(5_000)}\n\n> ${prose}`
    const chunks = await embedder.chunk(text)
    expect(chunks.length).toBeGreaterThan(20)
    expect(chunks.map(({ ordinal }) => ordinal)).toEqual([...chunks.keys()])
    for (const { start, end, text: part, tokens } of chunks) {
      expect(part).toBe(text.slice(start, end))
      expect(tokens).toBeLessThanOrEqual(208)
    }
    expect(chunks[1]?.start).toBeLessThan(chunks[0]?.end ?? 0)
    expect(chunks.at(-1)?.heading).toBe('Reminders › Late')
    expect(await embedder.chunk(' \n')).toEqual([])
  })

  test('a long text is chunked beside queries, and its chunking can be cancelled', async () => {
    const text = 'One more sentence about nothing in particular. '.repeat(40).concat('\n\n').repeat(500)
    const ended: string[] = []
    const chunking = embedder.chunk(text).then(chunks => ended.push(`${chunks.length > 500}`))
    for (let i = 0; i < 3; i++) await embedder.embed([`question ${i}`]).then(() => ended.push('query'))
    await chunking
    expect(ended).toEqual(['query', 'query', 'query', 'true'])

    const controller = new AbortController()
    const cancelled = embedder.chunk(text, { signal: controller.signal })
    await embedOne('something in between')
    controller.abort(new Error('no longer wanted'))
    await expect(cancelled).rejects.toThrow('no longer wanted')
  })

  test('a process that is killed fails what it was at, and the next call starts another', async () => {
    const { started, stopNoting } = noteProcesses()
    const fresh = embedderWith()
    try {
      const [before] = await fresh.embed(['a text'])
      const batch = expect(fresh.embed(manyTexts(500))).rejects.toThrow(Unavailable)
      const chunking = expect(fresh.chunk('word '.repeat(300_000))).rejects.toThrow('ended unexpectedly')
      started[0]?.kill('SIGKILL')
      await Promise.all([batch, chunking])
      const [after] = await fresh.embed(['a text'])
      expect(cosine(before, after)).toBeCloseTo(1, 5)
      expect(started).toHaveLength(2)
    } finally {
      stopNoting()
      await fresh.close()
    }
  })

  test('indexes in the idle class of the scheduler, and in a process beside it while that gets no time', async () => {
    const { started, stopNoting } = noteProcesses()
    const fresh = embedderWith()
    try {
      const indexing = fresh.forIndexing()
      const texts = manyTexts(20)
      const [before] = await indexing.embed(texts)
      expect(await indexing.chunk('One sentence.')).toHaveLength(1)
      // A busy machine may have made them wait already, so that there is a process beside them.
      const idle = started.filter(isModelProcess).map(innermost).filter(isIdle)
      expect(idle).toHaveLength(Math.min(2, availableParallelism()))
      for (const pid of idle) process.kill(pid, 'SIGSTOP')
      const [after] = await indexing.embed(texts)
      expect(cosine(before, after)).toBeCloseTo(1, 5)
      expect(await indexing.chunk('One sentence.')).toHaveLength(1)
      expect(started.filter(isModelProcess)).toHaveLength(idle.length + 1)
    } finally {
      stopNoting()
      await fresh.close()
    }
  })

  test('a process that says nothing in time is given up', async () => {
    const silent = createModelProcess({ chunkTokens: 100, overlapTokens: 0 }, 1)
    await expect(silent.chunk('word '.repeat(300_000))).rejects.toThrow('The embedding model timed out')
    await silent.close()
  })

  test('a closed embedder fails what is asked of it', async () => {
    const closed = embedderWith()
    const waiting = expect(closed.embed(['a text'])).rejects.toThrow(Unavailable)
    await closed.close()
    await waiting
    await expect(closed.embed(['a text'])).rejects.toThrow('The embedder is closed')
    await expect(closed.chunk('a text')).rejects.toThrow('The embedder is closed')
  })
})

describe('a model that is not there', () => {
  async function problemWith(folder: string): Promise<unknown> {
    const embedder = embedderWith({ EMBEDDING_MODEL_DIR: folder })
    const [ready, embedded] = await Promise.allSettled([embedder.ready(), embedder.embed(['a text'])])
    await embedder.close()
    expect(embedded).toEqual(ready)
    return ready.status === 'rejected' && (ready.reason as unknown)
  }

  test('is named by its setting', async () => {
    const none = await problemWith('')
    expect(none).toBeInstanceOf(Unavailable)
    expect(none).toMatchObject({ status: 503, message: expect.stringContaining('set EMBEDDING_MODEL_DIR') })
    const unknown = await problemWith('/no/such/folder')
    expect(unknown).toMatchObject({ message: 'EMBEDDING_MODEL_DIR names a folder without the file config.json' })
  })

  test('may appear later, and broken files are no crash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'model-'))
    const embedder = embedderWith({ EMBEDDING_MODEL_DIR: folder })
    try {
      await expect(embedder.ready()).rejects.toThrow('config.json')
      await writeFile(join(folder, 'config.json'), '{')
      await expect(embedder.ready()).rejects.toThrow('tokenizer.json')
      await cp(MODEL_DIR, folder, { recursive: true })
      await writeFile(join(folder, 'onnx/model_quantized.onnx'), 'nothing of the kind')
      await expect(embedder.ready()).rejects.toThrow("The embedding model in EMBEDDING_MODEL_DIR can't be read")
      await cp(MODEL_DIR, folder, { recursive: true })
      await embedder.ready()
    } finally {
      await embedder.close()
      await rm(folder, { recursive: true })
    }
  })

  test('is fetched once from a hub where one is configured, and noted as another model', async () => {
    const requestedUrls: string[] = []
    const server = await startHttpServer(({ url = '' }, response) => {
      const [, name, file] = /^\/(.+)\/resolve\/main\/(.+)$/.exec(url) ?? []
      requestedUrls.push(name ?? url)
      const content = createReadStream(join(MODEL_DIR, file ?? ''))
      content.once('error', () => response.writeHead(404).end()).pipe(response)
    })
    const folder = await mkdtemp(join(tmpdir(), 'hub-'))
    const settings = { EMBEDDING_MODEL_DIR: folder, EMBEDDING_MODEL_HUB: server.url }
    const [first, second] = [embedderWith(settings), embedderWith(settings)]
    const third = embedderWith({ ...settings, EMBEDDING_MODEL_DIR: join(folder, 'empty') })
    try {
      expect(first.model).toBe('builtin:all-MiniLM-L6-v2-int8@hub')
      expect(lengthOf((await first.embed(['a text']))[0])).toBeCloseTo(1, 4)
      expect(new Set(requestedUrls)).toEqual(new Set(['Xenova/all-MiniLM-L6-v2']))
      await server.close()
      expect(lengthOf((await second.embed(['a text']))[0])).toBeCloseTo(1, 4)
      await expect(third.ready()).rejects.toThrow("The embedding model in EMBEDDING_MODEL_HUB can't be fetched")
    } finally {
      await Promise.all([first.close(), second.close(), third.close(), server.close()])
      await rm(folder, { recursive: true })
    }
  })
})
