import type { Config } from '../config/config.ts'
import { openElasticsearch } from './elasticsearch.ts'
import type { ElasticsearchAddress } from './elasticsearch.ts'
import type { Embedder } from './embedding/embedder.ts'
import { createIndexWriter } from './index-writer.ts'
import type { IndexWriter } from './index-writer.ts'
import { createSearchIndex } from './index/search-index.ts'
import type { SearchIndex } from './index/search-index.ts'
import { createResourceRemover } from './remove-resource.ts'
import { createSearcher } from './query/searcher.ts'
import type { Searcher } from './query/searcher.ts'

export interface SearchSettings extends ElasticsearchAddress {
  /** The prefix of the names of all indices. */
  prefix: string
  /** The embedder of queries and of indexed texts. */
  embedder: Pick<Embedder, 'model' | 'dimensions' | 'embed'>
}

/**
 * The index of the versions of those kinds whose versions are searched. It is an index of its own, so that the words of
 * former versions do not change the scores of heads.
 */
export interface VersionIndex extends SearchIndex, IndexWriter, Searcher {
  /** Removes the chunks of a resource that revisions before this one have written. Throws Unavailable. */
  removeResource(resourceId: string, revision: number): Promise<void>
}

/** All operations of the service on Elasticsearch. */
export interface Search extends SearchIndex, IndexWriter, Searcher {
  versions: VersionIndex
  /** Throws when Elasticsearch does not answer within a second. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Connects at the first use, and reconnects when Elasticsearch is available again. */
export function openSearch({ prefix, embedder, ...address }: SearchSettings): Search {
  const elasticsearch = openElasticsearch(address)
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

type Settings = Pick<Config, 'ELASTICSEARCH_URL' | 'ELASTICSEARCH_API_KEY' | 'SEARCH_INDEX'>

/** Opens search as configured. Returns undefined without ELASTICSEARCH_URL. */
export const openConfiguredSearch = (config: Settings, embedder: SearchSettings['embedder']): Search | undefined =>
  config.ELASTICSEARCH_URL === undefined
    ? undefined
    : openSearch({
        url: config.ELASTICSEARCH_URL,
        apiKey: config.ELASTICSEARCH_API_KEY,
        prefix: config.SEARCH_INDEX,
        embedder,
      })
