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

/** Chunks, vectors, and what the search index holds. Elasticsearch can be rebuilt from these tables. */
export const textChunksTable = defineTable('text_chunks', {
  workspace_id: uuid(),
  resource_id: primary(uuid()),
  version: primary(integer()),
  ordinal: primary(integer()),
  /** UTF-16 offsets into the text. */
  start_offset: integer(),
  end_offset: integer(),
  heading: nullable(text()),
  text: text(),
  /** sha-256 of the text that was embedded. */
  sha256: text(),
})

/** By the hash of the text, so that equal texts are embedded once. */
export const chunkVectorsTable = defineTable('chunk_vectors', {
  workspace_id: primary(uuid()),
  model: primary(text()),
  sha256: primary(text()),
  vector: bytes(),
})

/** The revision and the number of parts that the search index holds of a resource. */
export const searchStateTable = defineTable('search_state', {
  workspace_id: uuid(),
  resource_id: primary(uuid()),
  revision: bigint(),
  /** The index that holds it; null while only an index under construction does. */
  index_name: nullable(text()),
  /** Maximum number of its documents in the index. */
  parts: integer(),
  /** Hash of the chunked text: equal keys have equal chunks. */
  text_key: nullable(text()),
  indexed_at: time(),
  /** The reason why the resource is missing from the index or incomplete. */
  problem: nullable(text()),
  /** The revision of the head that the index of versions covers; null while it holds nothing of the resource. */
  versions_revision: nullable(bigint()),
  /** The last version that it covers. */
  versions_until: nullable(integer()),
  /** What every chunk repeats of the head, such as its folder. */
  versions_place: nullable(text()),
  versions_index: nullable(text()),
})

/** Changes of resources that the index does not hold yet. */
export const searchOutboxTable = defineTable('search_outbox', {
  id: primary(generated(bigint())),
  /** Written by the trigger only: foreign keys would cost two look-ups for each resource of a moved folder. */
  workspace_id: uuid(),
  resource_id: uuid(),
  revision: bigint(),
  /** The version of the head at the time of the change. */
  version: integer(),
  created_at: time(),
  attempts: integer(),
  /** The next attempt, or the end of the lease. */
  due_at: time(),
  /** Has many chunks to embed: small entries do not wait for it. */
  is_large: boolean(),
  failure: nullable(text()),
})
