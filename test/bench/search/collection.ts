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

/** Grades by document id. A document with a grade above 0 answers the query. */
export type Judged = Map<string, number>

/** Documents, and queries with human relevance judgments. */
export interface Collection {
  name: string
  documents: Document[]
  queries: { id: string; text: string; judged: Judged }[]
}

/** The id field is `id`, or `_id` in BEIR collections. */
const line = z
  .object({ id: z.string().optional(), _id: z.string().optional(), title: z.string().default(''), text: z.string() })
  .transform(({ id, _id, ...fields }) => ({ id: id ?? _id ?? '', ...fields }))

/**
 * Reads a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` (query, document, grade), or in BEIR format
 * with `qrels/test.tsv`. Each file may be gzipped (`.gz`). Queries without a judgment are omitted.
 */
export async function readCollection(folder: string): Promise<Collection> {
  const judgments = await readJudgments(folder)
  const [documents, queries] = await Promise.all([
    readLines(folder, 'corpus.jsonl'),
    readLines(folder, 'queries.jsonl'),
  ])
  return {
    name: basename(folder),
    documents,
    queries: queries.flatMap(({ id, text }) => {
      const judged = judgments.get(id)
      return judged ? [{ id, text, judged }] : []
    }),
  }
}

async function readLines(folder: string, name: string): Promise<Document[]> {
  const found: Document[] = []
  for await (const text of linesOf(folder, [name])) found.push(line.parse(JSON.parse(text)))
  return found
}

async function readJudgments(folder: string): Promise<Map<string, Judged>> {
  const judgments = new Map<string, Judged>()
  for await (const text of linesOf(folder, ['qrels.tsv', 'qrels/test.tsv'])) {
    const [query = '', document = '', grade] = text.split('\t')
    // BEIR files start with a header row.
    if (!Number.isFinite(Number(grade))) continue
    const judged = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, judged.set(document, Number(grade)))
  }
  return judgments
}

/** Reads the lines of the first of these files that exists, compressed or not. */
async function* linesOf(folder: string, names: string[]): AsyncGenerator<string> {
  const files = names.flatMap(name => [join(folder, name), join(folder, `${name}.gz`)])
  const file = files.find(each => existsSync(each))
  if (!file) throw new Error(`${folder} has no ${names.join(' or ')}`)
  const stream = createReadStream(file)
  const input = file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  for await (const text of createInterface({ input, crlfDelay: Infinity })) if (text.trim() !== '') yield text
}
