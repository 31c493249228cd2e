import type { Config } from '../config/config.ts'
import { openElasticsearch } from './elasticsearch.ts'
import type { ElasticsearchSettings } from './elasticsearch.ts'
import type { Embedder } from './embedding/embedder.ts'
import { createIndexWriter } from './index-writer.ts'
import type { IndexWriter } from './index-writer.ts'
import { createSearchIndex } from './index/search-index.ts'
import type { SearchIndex } from './index/search-index.ts'
import { createResourceRemover } from './remove-resource.ts'
import { createSearcher } from './query/searcher.ts'
import type { Searcher } from './query/searcher.ts'

export interface SearchSettings extends ElasticsearchSettings {
  /** The prefix of all index names. */
  prefix: string
  /** The embedder for queries and for indexed texts. */
  embedder: Pick<Embedder, 'model' | 'dimensions' | 'embed'>
}

/**
 * The index for resource kinds whose versions are searchable. It is separate from the main index, so that words in
 * previous versions do not affect the scores of heads.
 */
export interface VersionIndex extends SearchIndex, IndexWriter, Searcher {
  /** Removes the chunks of a resource that earlier revisions have written. Throws Unavailable. */
  removeResource(resourceId: string, revision: number): Promise<void>
}

/** All search operations of the service. */
export interface Search extends SearchIndex, IndexWriter, Searcher {
  versions: VersionIndex
  /** Throws when Elasticsearch does not respond within a second. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens the search. Connects on first use, and reconnects when Elasticsearch is available again. */
export function openSearch({ prefix, embedder, ...settings }: SearchSettings): Search {
  const elasticsearch = openElasticsearch(settings)
  const { model, dimensions, embed } = embedder
  const versions = { elasticsearch, prefix: `${prefix}-versions` }
  const versionWriter = createIndexWriter(versions)
  return {
    ...createSearchIndex({ elasticsearch, prefix, model, dimensions }),
    ...createIndexWriter({ elasticsearch, prefix }),
    ...createSearcher({ elasticsearch, prefix, embed }),
    versions: {
      ...createSearchIndex({ ...versions, model, dimensions, ofVersions: true }),
      ...versionWriter,
      ...createSearcher({ ...versions, embed }),
      removeResource: createResourceRemover({ ...versions, ...versionWriter }),
    },
    ping: () => elasticsearch.ping(),
    close: () => elasticsearch.close(),
  }
}

type Settings = Pick<Config, 'ELASTICSEARCH_URL' | 'ELASTICSEARCH_API_KEY' | 'SEARCH_INDEX' | 'SEARCH_TIMEOUT_SECONDS'>

/** Opens search if ELASTICSEARCH_URL is set. Otherwise returns undefined. */
export const openConfiguredSearch = (config: Settings, embedder: SearchSettings['embedder']): Search | undefined =>
  config.ELASTICSEARCH_URL === undefined
    ? undefined
    : openSearch({
        url: config.ELASTICSEARCH_URL,
        apiKey: config.ELASTICSEARCH_API_KEY,
        prefix: config.SEARCH_INDEX,
        readTimeoutMs: config.SEARCH_TIMEOUT_SECONDS * 1_000,
        embedder,
      })
