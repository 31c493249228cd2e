import type { SearchMode } from '../../../search/query/search-query.ts'
import type { Search } from '../../../search/search.ts'
import type { Collection } from './collection.ts'
import { fill } from './filling.ts'
import { ndcgAt10, recallAt100 } from './measures.ts'
import { look, MODES, type TestContext } from './place.ts'

interface Quality {
  ndcg: number
  recall: number
}

export interface QualityRow {
  collection: string
  documents: number
  chunks: number
  queries: number
  modes: Record<SearchMode, Quality>
}

/** How well each mode finds what people said is to be found. */
export async function measureQuality({ collections, embedder, withIndex }: TestContext): Promise<QualityRow[]> {
  const rows: QualityRow[] = []
  for (const collection of collections) {
    const { name, documents, queries } = collection
    const row = await withIndex(async search => {
      const chunks = await fill(search, embedder, documents)
      const modes = {} as QualityRow['modes']
      for (const mode of MODES) modes[mode] = await judge(search, mode, collection)
      return { collection: name, documents: documents.length, chunks, queries: queries.length, modes }
    })
    rows.push(row)
  }
  return rows
}

async function judge(search: Search, mode: SearchMode, { queries }: Collection): Promise<Quality> {
  const sum = { ndcg: 0, recall: 0 }
  for (const { text, judged } of queries) {
    const ids = await look(search, mode, text, 100)
    sum.ndcg += ndcgAt10(ids, judged)
    sum.recall += recallAt100(ids, judged)
  }
  return { ndcg: sum.ndcg / queries.length, recall: sum.recall / queries.length }
}
