import { Client } from '@elastic/elasticsearch'

export interface Search {
  /** Throws when Elasticsearch does not answer within a second. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The connection to Elasticsearch; it opens when first used. */
export function openSearch(url: string): Search {
  const client = new Client({ node: url, requestTimeout: 1_000, maxRetries: 0 })
  return {
    ping: async () => {
      await client.cluster.health({ local: true })
    },
    close: () => client.close(),
  }
}
