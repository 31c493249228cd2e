import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

export interface SearchBenchOptions {
  /** Folders of judged collections. */
  folders: string[]
  /** Names of items to run. Empty means all. */
  only: string[]
  /** A quarter of the samples, and only the smaller index. */
  quick: boolean
  /** Raw numbers on standard output instead of tables. */
  json: boolean
}

/** The default folder for collections, next to the checkout. */
const BESIDE = '../shared/search-sets'

/** Throws for an unknown option or if no collection exists. */
export function readSearchOptions(args: string[]): SearchBenchOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const folders = positionals.length > 0 ? positionals : foldersBeside()
  if (folders.length === 0)
    throw new Error(
      'No judged collection is there. Name folders of your own, in the shape of BEIR ' +
        '(corpus.jsonl, queries.jsonl, qrels/test.tsv): npm run bench:search -- <folder> …',
    )
  return { ...values, folders, only: values.only.flatMap(names => names.split(',')) }
}

function foldersBeside(): string[] {
  if (!existsSync(BESIDE)) return []
  const entries = readdirSync(BESIDE, { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => join(BESIDE, name))
}
