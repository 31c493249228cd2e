import { z } from 'zod'
import { description, metadata } from '../../../domain/resources/fields.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { versionNumber } from '../../../contract/shared/query.ts'
import { line } from '../../../contract/shared/text.ts'
import type { ResponseSpec } from '../../routing/route.ts'
import { givenPath, givenScope, shownHead } from '../../../contract/resources/head.ts'

export const documentParams = z.object({ id: line().meta({ description: 'Id or slug' }) })
export const versionQuery = z.object({
  version: versionNumber.optional().meta({ description: 'Reads this version instead of the latest' }),
})

/** The fields of a document in a request, for assets and artifacts. */
export const givenFields = {
  path: givenPath,
  scope: givenScope,
  description: description.unwrap().optional(),
  metadata: metadata.unwrap().optional().meta({ description: 'Text, number and boolean values to filter searches by' }),
}

/** The fields of a document in a response, for assets and artifacts. */
export const shownFields = {
  ...shownHead,
  description: z.string().nullable(),
  media_type: z.string(),
  size: z.int().meta({ description: 'Size of the content in bytes' }),
  sha256: z.string().meta({ description: 'SHA-256 of the content, in hexadecimal' }),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
}

const bytes = z.string().meta({ format: 'binary' })

/** The forms in which a content is sent. */
export const downloadResponses: Record<number, ResponseSpec> = {
  200: { description: 'The content, in its own media type', schema: bytes, mediaType: '*/*' },
  206: { description: 'The part that `Range` selects', schema: bytes, mediaType: '*/*' },
  304: { description: 'The content matches `If-None-Match`' },
  416: { description: 'The range begins beyond the end of the content', schema: errorBody },
}

export const ABOUT_DOWNLOAD =
  'Returns the content as a file. `ETag` is its SHA-256. `If-None-Match` and a single `Range` in bytes are supported.'
