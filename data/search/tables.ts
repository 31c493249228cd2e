import {
  defineTable,
  bigint,
  boolean,
  bytes,
  generated,
  integer,
  nullable,
  primary,
  text,
  time,
  uuid,
} from '../shared/table.ts'

/** Text chunks. This table, the vectors and the search state are sufficient to rebuild the Elasticsearch index. */
export const textChunksTable = defineTable('text_chunks', {
  workspace_id: uuid(),
  resource_id: primary(uuid()),
  version: primary(integer()),
  ordinal: primary(integer()),
  /** The start and end of the chunk, as UTF-16 offsets in the text. */
  start_offset: integer(),
  end_offset: integer(),
  heading: nullable(text()),
  text: text(),
  /** SHA-256 of the embedded text. */
  sha256: text(),
})

/** Embedding vectors, keyed by text hash so that equal texts are embedded only once. */
export const chunkVectorsTable = defineTable('chunk_vectors', {
  workspace_id: primary(uuid()),
  model: primary(text()),
  sha256: primary(text()),
  vector: bytes(),
})

/** The revision of a resource in the search index, and its number of parts there. */
export const searchStateTable = defineTable('search_state', {
  workspace_id: uuid(),
  resource_id: primary(uuid()),
  revision: bigint(),
  /** The index that contains the resource. Null while only an index under construction contains it. */
  index_name: nullable(text()),
  /** Maximum number of index documents that the resource may have. */
  parts: integer(),
  /** Hash of the text that was split into chunks. Equal keys mean equal chunks. */
  text_key: nullable(text()),
  indexed_at: time(),
  /** Why the resource is missing from the index or incomplete there. */
  problem: nullable(text()),
  /**
   * The head revision that the version index covers. Null while the version index contains no chunks of the resource.
   */
  versions_revision: nullable(bigint()),
  /** The latest version that the version index covers. */
  versions_until: nullable(integer()),
  /** The head fields that are repeated in every chunk, such as the folder. */
  versions_place: nullable(text()),
  versions_index: nullable(text()),
})

/** Changes to resources that are not indexed yet. */
export const searchOutboxTable = defineTable('search_outbox', {
  id: primary(generated(bigint())),
  /**
   * Only the database trigger writes this column. When a folder moves, a foreign key would cost two lookups per
   * resource.
   */
  workspace_id: uuid(),
  resource_id: uuid(),
  revision: bigint(),
  /** The head version at the time of the change. */
  version: integer(),
  created_at: time(),
  attempts: integer(),
  /** The time of the next attempt, or the end of the lease. */
  due_at: time(),
  /** Whether many chunks must be embedded. Small entries do not wait for large ones. */
  is_large: boolean(),
  failure: nullable(text()),
})
