import {
  defineTable,
  bigint,
  bytes,
  integer,
  integers,
  jsonb,
  nullable,
  primary,
  text,
  time,
  uuid,
} from '../shared/table.ts'

/** Addressed by hash. Stored uncompressed, so that a range is read without the rest. */
export const contentsTable = defineTable('contents', {
  workspace_id: primary(uuid()),
  sha256: primary(text()),
  size: bigint(),
  bytes: bytes(),
  created_at: time(),
})

/** The text of a content, extracted once for all assets that hold it. */
export const extractionsTable = defineTable('extractions', {
  workspace_id: primary(uuid()),
  sha256: primary(text()),
  /** The media type, with the charset of text that is not UTF-8. */
  media_type: primary(text()),
  /** sha-256 of the extracted text. Null when extraction failed. */
  text_sha256: nullable(text()),
  title: nullable(text()),
  pages: nullable(integer()),
  characters: nullable(integer()),
  /** Properties of the document: author, created … */
  metadata: jsonb<Record<string, string>>(),
  error_code: nullable(text()),
  error_message: nullable(text()),
  at: time(),
  /** The offset of each page in the text; null for a format without pages. */
  page_offsets: nullable(integers()),
})
