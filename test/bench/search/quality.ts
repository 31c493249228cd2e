import type { IndexedResource } from '../../../search/indexed-resource.ts'
import type { SearchMode } from '../../../search/query/search-query.ts'
import type { Search } from '../../../search/search.ts'
import { forEach } from '../support/for-each.ts'
import type { Collection } from './collection.ts'
import { prepare } from './filling.ts'
import { ndcgAt10, recallAt100 } from './measures.ts'
import { look, MODES, type TestContext, writeMany } from './place.ts'
import { buildPool, buildResources } from './synthetic.ts'

interface Quality {
  ndcg: number
  recall: number
}

export type QualityOfModes = Record<SearchMode, Quality>

export interface QualityRow {
  collection: string
  documents: number
  chunks: number
  queries: number
  /** Quality in a separate index. */
  modes: QualityOfModes
  /**
   * Quality when the index also contains unrelated documents, in other workspaces or the same one. Undefined for a
   * single collection.
   */
  shared?: { others: QualityOfModes; own: QualityOfModes }
}

const FOREIGN_DOCUMENTS = 20_000
const SENTENCES = 3_000
const SEED = 20_000
const QUERIES_AT_ONCE = 4
/** Contains the collection and the unrelated documents. */
const MIXED_WORKSPACE = 'bench-mixed'

/** Measures search quality per mode against human judgments, in a separate and a shared index. */
export async function measureQuality(context: TestContext): Promise<QualityRow[]> {
  const rows: QualityRow[] = []
  for (const collection of context.collections) {
    const resources = await prepare(context.embedder, collection.documents)
    rows.push({
      collection: collection.name,
      documents: resources.length,
      chunks: resources.reduce((sum, { chunks }) => sum + chunks.length, 0),
      queries: collection.queries.length,
      modes: await judgeAlone(context, collection, resources),
      shared: context.collections.length > 1 ? await judgeShared(context, collection, resources) : undefined,
    })
  }
  return rows
}

const judgeAlone = ({ withIndex }: TestContext, collection: Collection, resources: IndexedResource[]) =>
  withIndex(async search => {
    await writeMany(search, resources)
    return judgeModes(search, collection)
  })

/** Unrelated documents consist of sentences from other collections, so they answer none of the queries. */
async function judgeShared(
  { collections, embedder, quick, withIndex }: TestContext,
  collection: Collection,
  resources: IndexedResource[],
): Promise<NonNullable<QualityRow['shared']>> {
  const others = collections.filter(each => each !== collection)
  const pool = await buildPool(others, embedder, SENTENCES)
  const foreign = buildResources(pool, quick ? FOREIGN_DOCUMENTS / 4 : FOREIGN_DOCUMENTS, SEED, 1)
  return withIndex(async search => {
    await writeMany(search, resources)
    await writeMany(search, [...resources, ...foreign].map(moveToMixedWorkspace))
    return { others: await judgeModes(search, collection), own: await judgeModes(search, collection, MIXED_WORKSPACE) }
  })
}

const MIXED_PREFIX = 'mixed-'

const moveToMixedWorkspace = (resource: IndexedResource): IndexedResource => ({
  ...resource,
  workspace_id: MIXED_WORKSPACE,
  resource_id: MIXED_PREFIX + resource.resource_id,
})

async function judgeModes(search: Search, collection: Collection, workspace?: string): Promise<QualityOfModes> {
  const modes = {} as QualityOfModes
  for (const mode of MODES) modes[mode] = await judge(search, mode, collection, workspace)
  return modes
}

async function judge(
  search: Search,
  mode: SearchMode,
  { queries }: Collection,
  workspace: string | undefined,
): Promise<Quality> {
  const sum = { ndcg: 0, recall: 0 }
  await forEach(queries, QUERIES_AT_ONCE, async ({ text, judged }) => {
    const found = await look(search, mode, text, 100, workspace)
    const ids = found.map(id => (workspace === undefined ? id : id.slice(MIXED_PREFIX.length)))
    sum.ndcg += ndcgAt10(ids, judged)
    sum.recall += recallAt100(ids, judged)
  })
  return { ndcg: sum.ndcg / queries.length, recall: sum.recall / queries.length }
}
