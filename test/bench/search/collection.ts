import { createReadStream, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'

export interface Document {
  id: string
  title: string
  text: string
}

/** Grades of documents by id, above 0 where they answer the query. */
export type Judged = Map<string, number>

/** Documents, and queries of which people said what answers them. */
export interface Collection {
  name: string
  documents: Document[]
  queries: { id: string; text: string; judged: Judged }[]
}

/** Ids are `id`, or `_id` in collections of BEIR. */
const line = z
  .object({ id: z.string().optional(), _id: z.string().optional(), title: z.string().default(''), text: z.string() })
  .transform(({ id, _id, ...fields }) => ({ id: id ?? _id ?? '', ...fields }))

/**
 * Reads a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` (query, document, grade), or in BEIR's shape with
 * `qrels/test.tsv`; each of them may be compressed as `.gz`. Queries without a judgement are left out.
 */
export async function readCollection(folder: string): Promise<Collection> {
  const judgements = await readJudgements(folder)
  const [documents, queries] = await Promise.all([
    readLines(folder, 'corpus.jsonl'),
    readLines(folder, 'queries.jsonl'),
  ])
  return {
    name: basename(folder),
    documents,
    queries: queries.flatMap(({ id, text }) => {
      const judged = judgements.get(id)
      return judged ? [{ id, text, judged }] : []
    }),
  }
}

async function readLines(folder: string, name: string): Promise<Document[]> {
  const found: Document[] = []
  for await (const text of linesOf(folder, [name])) found.push(line.parse(JSON.parse(text)))
  return found
}

async function readJudgements(folder: string): Promise<Map<string, Judged>> {
  const judgements = new Map<string, Judged>()
  for await (const text of linesOf(folder, ['qrels.tsv', 'qrels/test.tsv'])) {
    const [query = '', document = '', grade] = text.split('\t')
    // BEIR begins with a line of names.
    if (!Number.isFinite(Number(grade))) continue
    const judged = judgements.get(query) ?? new Map<string, number>()
    judgements.set(query, judged.set(document, Number(grade)))
  }
  return judgements
}

/** The lines of the first of these files that is there, compressed or not. */
async function* linesOf(folder: string, names: string[]): AsyncGenerator<string> {
  const files = names.flatMap(name => [join(folder, name), join(folder, `${name}.gz`)])
  const file = files.find(each => existsSync(each))
  if (!file) throw new Error(`${folder} has no ${names.join(' or ')}`)
  const stream = createReadStream(file)
  const input = file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  for await (const text of createInterface({ input, crlfDelay: Infinity })) if (text.trim() !== '') yield text
}
