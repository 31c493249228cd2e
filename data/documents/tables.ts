import {
  defineTable,
  bigint,
  bytes,
  generated,
  integer,
  integers,
  jsonb,
  nullable,
  primary,
  text,
  time,
  uuid,
} from '../shared/table.ts'

/** Contents, addressed by hash. Stored uncompressed, so that a byte range can be read without the rest. */
export const contentsTable = defineTable('contents', {
  workspace_id: primary(uuid()),
  sha256: primary(text()),
  size: bigint(),
  bytes: bytes(),
  created_at: time(),
})

/** The text extracted from a content. All assets with this content share one extraction. */
export const extractionsTable = defineTable('extractions', {
  workspace_id: primary(uuid()),
  sha256: primary(text()),
  /** The media type. For text that is not UTF-8, includes the charset. */
  media_type: primary(text()),
  /** SHA-256 of the extracted text. Null when extraction failed. */
  text_sha256: nullable(text()),
  title: nullable(text()),
  pages: nullable(integer()),
  characters: nullable(integer()),
  /** Document properties, such as author and creation date. */
  metadata: jsonb<Record<string, string>>(),
  error_code: nullable(text()),
  error_message: nullable(text()),
  at: time(),
  /** The text offset where each page starts. Null for formats without pages. */
  page_offsets: nullable(integers()),
})

/**
 * Files in conversations and forms. A row belongs to a thread or a run, and to neither until one of them uses the file.
 * A fork has its own rows, with the same ids.
 */
export const filesTable = defineTable('files', {
  id: primary(uuid()),
  workspace_id: uuid(),
  /** The uploader. */
  actor: text(),
  trace_id: nullable(uuid()),
  job_id: nullable(text()),
  /** The id of the thread or run, or empty. */
  owner: primary(generated(text())),
  file_name: text(),
  media_type: text(),
  charset: nullable(text()),
  size: bigint(),
  sha256: text(),
  created_at: time(),
})
