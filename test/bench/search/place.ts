import { randomBytes } from 'node:crypto'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { type Embedder, openEmbedder } from '../../../search/embedding/embedder.ts'
import type { IndexedResource } from '../../../search/indexed-resource.ts'
import type { SearchMode } from '../../../search/query/search-query.ts'
import { openSearch, type Search } from '../../../search/search.ts'
import { deriveTitle } from '../../../domain/documents/documents.ts'
import { deriveSlug } from '../../../domain/shared/text/slug.ts'
import type { Collection, Document } from './collection.ts'

export const MODES = ['keyword', 'semantic', 'hybrid'] as const satisfies SearchMode[]

/** The search backend as the processes open it, with the same embedder. */
export interface TestContext {
  embedder: Embedder
  collections: Collection[]
  quick: boolean
  /** Runs `work` with an empty, separate index. */
  withIndex<T>(work: (search: Search) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const WORKSPACE = 'bench'

export function openPlace(collections: Collection[], quick: boolean): TestContext {
  const config = readConfig(readEnvironment())
  const url = config.ELASTICSEARCH_URL
  if (!url) throw new Error('Elasticsearch is not there')
  const embedder = openEmbedder(config)
  const opened = new Set<Search>()

  async function discard(search: Search): Promise<void> {
    opened.delete(search)
    for (const { name } of await search.listIndices()) await search.dropIndex(name)
    await search.close()
  }

  return {
    embedder,
    collections,
    quick,
    async withIndex(work) {
      const prefix = `bench-${randomBytes(6).toString('hex')}`
      const readTimeoutMs = config.SEARCH_TIMEOUT_SECONDS * 1_000
      const search = openSearch({ url, apiKey: config.ELASTICSEARCH_API_KEY, prefix, readTimeoutMs, embedder })
      opened.add(search)
      try {
        await search.ensure()
        return await work(search)
      } finally {
        await discard(search)
      }
    },
    async close() {
      await Promise.allSettled([...opened].map(discard))
      await embedder.close()
    },
  }
}

/** Returns the ids that a search across the whole workspace finds. */
export async function look(
  search: Search,
  mode: SearchMode,
  query: string,
  limit: number,
  workspace_id = WORKSPACE,
): Promise<string[]> {
  const searchRequest = { workspace_id, brain_ids: null, query, mode, limit, offset: 0 }
  return (await search.search(searchRequest)).matches.map(({ resource_id }) => resource_id)
}

/** Writes all resources, or throws. */
export async function writeAll(search: Search, resources: IndexedResource[]): Promise<void> {
  const failed = (await search.write(resources.map(put => ({ put })))).find(({ ok }) => !ok)
  if (failed) throw new Error(`A resource could not be written: ${JSON.stringify(failed)}`)
}

const RESOURCES_AT_ONCE = 200

/** Writes resources in batches, and makes them searchable. */
export async function writeMany(search: Search, resources: Iterable<IndexedResource>): Promise<void> {
  let batch: IndexedResource[] = []
  for (const resource of resources) {
    batch.push(resource)
    if (batch.length < RESOURCES_AT_ONCE) continue
    await writeAll(search, batch)
    batch = []
  }
  await writeAll(search, batch)
  await search.refresh()
}

/** Returns the title of a document ingested without a file name. */
export const titleOf = ({ title, text }: Document): string => title || deriveTitle({ start: text })

export function buildResource(
  { id, title }: Omit<Document, 'text'>,
  chunks: IndexedResource['chunks'],
): IndexedResource {
  const at = '2026-01-01T00:00:00.000Z'
  return {
    workspace_id: WORKSPACE,
    resource_id: id,
    revision: 1n,
    kind: 'assets',
    slug: deriveSlug(title, 'asset', id),
    title,
    path: '/',
    brain_id: null,
    version: 1,
    metadata: {},
    created_at: at,
    updated_at: at,
    chunks,
    formerParts: 0,
  }
}
