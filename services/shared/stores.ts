import type { Config } from '../../config/config.ts'
import { openDatabase } from '../../data/shared/database.ts'
import { type EmbedderOptions, openEmbedder } from '../../search/embedding/embedder.ts'
import { openConfiguredSearch } from '../../search/search.ts'

/** Opens Postgres and the search index. Both connect on first use. */
export function openStores(config: Config, embedding?: EmbedderOptions) {
  const db = openDatabase(config)
  const embedder = openEmbedder(config, embedding)
  const searchIndex = openConfiguredSearch(config, embedder)
  const close = async () => void (await Promise.allSettled([db.close(), searchIndex?.close(), embedder.close()]))
  return { db, embedder, searchIndex, close }
}
