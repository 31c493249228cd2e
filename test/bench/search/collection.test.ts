import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readCollection } from './collection.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collection-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function write(name: string, ...lines: (object | string)[]): Promise<void> {
  const text = lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text)
}

test('reads a compressed collection with plain judgments', async () => {
  await write('corpus.jsonl.gz', { id: 'd1', title: 'One', text: 'first' }, { id: 'd2', title: '', text: 'second' })
  await write('queries.jsonl.gz', { id: 'q1', text: 'which?' }, { id: 'q2', text: 'nobody judged it' })
  await write('qrels.tsv.gz', 'q1\td1\t3', 'q1\td2\t0')
  const { documents, queries } = await readCollection(folder)
  expect(documents).toEqual([
    { id: 'd1', title: 'One', text: 'first' },
    { id: 'd2', title: '', text: 'second' },
  ])
  const judged = new Map([
    ['d1', 3],
    ['d2', 0],
  ])
  expect(queries).toEqual([{ id: 'q1', text: 'which?', judged }])
})

test('reads a collection in BEIR format', async () => {
  await write('corpus.jsonl', { _id: 'd1', title: 'One', text: 'first', metadata: {} })
  await write('queries.jsonl', { _id: '7', text: 'which?', metadata: {} })
  await write('qrels/test.tsv', 'query-id\tcorpus-id\tscore', '7\td1\t2')
  expect(await readCollection(folder)).toMatchObject({
    documents: [{ id: 'd1', title: 'One', text: 'first' }],
    queries: [{ id: '7', text: 'which?', judged: new Map([['d1', 2]]) }],
  })
})

test('a folder without judgments is not a collection', async () => {
  await write('corpus.jsonl', { _id: 'd1', text: 'first' })
  await write('queries.jsonl', { _id: '7', text: 'which?' })
  await expect(readCollection(folder)).rejects.toThrow('has no qrels.tsv or qrels/test.tsv')
})
