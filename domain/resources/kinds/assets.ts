import { z } from 'zod'
import { formatReadType } from '../../documents/documents.ts'
import { description, metadata, shortText } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const document = z.strictObject({
  description,
  media_type: shortText,
  charset: shortText.optional(),
  /** Size in bytes. */
  size: z.int().min(0),
  /** SHA-256 of the bytes, which are in the content store. */
  sha256: z.string(),
  file_name: shortText.optional(),
  /** Key of the document in its source. New bytes with the same key create the next version. */
  source_key: shortText.optional(),
  metadata,
})

export type AssetDocument = z.output<typeof document>

export const assets = defineKind({
  kind: 'assets',
  singular: 'asset',
  document,
  isDocument: true,
  contentFields: ['media_type', 'charset', 'size', 'sha256', 'file_name', 'source_key'],
  createdBy: 'POST /v1/assets/ingest',
  text: ({ description }) => joinParagraphs(description),
  content: ({ sha256, ...type }) => ({ sha256, read_type: formatReadType(type), isText: false }),
  metadata: ({ metadata, media_type }) => ({ ...metadata, media_type }),
})
