import { z } from 'zod'
import { description, mediaType, metadata } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

/** Maximum content size of an artifact, which is edited as text. */
export const MAX_ARTIFACT_BYTES = 5_000_000

const document = z.strictObject({
  description,
  media_type: mediaType.default('text/markdown'),
  /** Content size in UTF-8 bytes. */
  size: z.int().min(0),
  /** SHA-256 of the content, which is in the content store. */
  sha256: z.string(),
  metadata,
})

export type ArtifactDocument = z.output<typeof document>

export const artifacts = defineKind({
  kind: 'artifacts',
  singular: 'artifact',
  document,
  isDocument: true,
  contentFields: ['size', 'sha256'],
  text: ({ description }) => joinParagraphs(description),
  content: ({ sha256, media_type }) => ({ sha256, read_type: media_type, isText: true }),
  metadata: ({ metadata, media_type }) => ({ ...metadata, media_type }),
})
