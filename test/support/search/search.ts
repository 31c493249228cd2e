import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { openEmbedder, type Embedder } from '../../../search/embedding/embedder.ts'
import { openSearch, type Search } from '../../../search/search.ts'
import { createIndexing, type Indexing } from '../../../services/search/indexing/indexing.ts'
import { createSearchService, type SearchService } from '../../../services/search/search.ts'
import { createTestDatabase, type TestDatabase } from '../stack/database.ts'
import { createSpine } from '../resources/spine.ts'
import { createPrincipal } from '../shared/workspace.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'
import type { MatchView, SearchRequest } from '../../../contract/search/search.ts'

/** The core services with a separate search: a database and an index that no other test uses. */
export interface SearchFixture {
  database: TestDatabase
  embedder: Embedder
  index: Search
  indexing: Indexing
  resources: ResourcesService
  search: SearchService
  ann: Principal & { first_brain: string }
  /** Indexes all entries that are due. */
  drain(): Promise<void>
  find(query: string, more?: Partial<SearchRequest>, principal?: Principal): Promise<MatchView[]>
  /** Opens the fixture's index with other settings, for example another model or an unavailable server. */
  openIndex(more?: { embedder?: Embedder; url?: string }): Search
  close(): Promise<void>
}

const log = pino({ level: 'silent' })

export async function createSearchFixture(): Promise<SearchFixture> {
  const config = readConfig(readEnvironment())
  const database = await createTestDatabase(20)
  const { db } = database
  const embedder = openEmbedder(config)
  const prefix = `test-${randomBytes(5).toString('hex')}`
  const searches: Search[] = []
  const openIndex: SearchFixture['openIndex'] = ({
    embedder: other = embedder,
    url = config.ELASTICSEARCH_URL,
  } = {}) => {
    if (url === undefined) throw new Error('ELASTICSEARCH_URL is not set; `npm test` sets it')
    const index = openSearch({ url, prefix, readTimeoutMs: config.SEARCH_TIMEOUT_SECONDS * 1_000, embedder: other })
    searches.push(index)
    return index
  }
  const index = openIndex()
  await index.ensure()
  const indexing = createIndexing({ db, search: index, embedder, log })
  const search = createSearchService(db, index)
  const ann = await createPrincipal(db)
  const never = new AbortController().signal
  return {
    database,
    embedder,
    index,
    indexing,
    search,
    ann,
    openIndex,
    resources: createSpine(db).resources,
    async drain() {
      while ((await indexing.drain(never)) > 0);
      await index.refresh()
      await index.versions.refresh().catch(() => undefined)
    },
    async find(query, more = {}, principal = ann) {
      const { matches } = await search.search(principal, { query, mode: 'hybrid', limit: 50, offset: 0, ...more })
      return matches
    },
    async close() {
      for (const { name } of await index.listIndices()) await index.dropIndex(name)
      for (const { name } of await index.versions.listIndices()) await index.versions.dropIndex(name)
      await Promise.all([...searches.map(instance => instance.close()), embedder.close(), database.drop()])
    },
  }
}
