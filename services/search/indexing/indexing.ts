import type { Logger } from 'pino'
import type { Database } from '../../../data/shared/database.ts'
import type { IndexEmbedder } from '../../../search/embedding/embedder.ts'
import type { Search } from '../../../search/search.ts'
import type { RecordEmbedding } from '../../access/usage/embedding-ledger.ts'
import { createIndexer, type Indexer, type IndexerSettings } from './indexer.ts'
import { createChunker } from './chunker.ts'
import { rebuild, type RebuildResult } from './rebuild.ts'
import { rebuildVersions } from './rebuild-versions.ts'
import { createVersionWriter } from './versions.ts'
import { createHeadWriter } from './writing.ts'

/** Indexes resources. */
export interface Indexing extends Indexer {
  /** Builds a new index and replaces the live index with the new one. */
  rebuild(signal: AbortSignal): Promise<RebuildResult>
}

interface Deps {
  db: Database
  search: Search
  embedder: IndexEmbedder
  noteEmbedding?: RecordEmbedding
  log: Logger
}

export function createIndexing(
  { db, search, embedder, noteEmbedding, log }: Deps,
  settings?: IndexerSettings,
): Indexing {
  const chunker = createChunker({ db, embedder, noteEmbedding })
  const write = createHeadWriter({ db, index: search, chunker })
  const writeVersions = createVersionWriter({ db, index: search.versions, chunker })
  return {
    ...createIndexer({ db, index: search, write, writeVersions, chunker, log }, settings),
    async rebuild(signal) {
      const rebuilt = await rebuild({ db, index: search, write, log }, signal)
      await rebuildVersions({ db, index: search.versions, write: writeVersions, log }, signal)
      return rebuilt
    },
  }
}
