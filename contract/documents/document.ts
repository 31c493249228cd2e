import { z } from 'zod'
import { description, metadata } from '../../domain/resources/fields.ts'
import { givenPath, givenScope, shownHead } from '../resources/head.ts'
import { line } from '../shared/text.ts'

export const documentParams = z.object({ id: line().meta({ description: 'Id or slug' }) })

/** Document fields in a request, for assets and artifacts. */
export const givenFields = {
  path: givenPath,
  scope: givenScope,
  description: description.unwrap().optional(),
  metadata: metadata.unwrap().optional().meta({ description: 'Text, number and boolean values for search filters' }),
}

/** Document fields in a response, for assets and artifacts. */
export const shownFields = {
  ...shownHead,
  description: z.string().nullable(),
  media_type: z.string(),
  size: z.int().meta({ description: 'Size of the content in bytes' }),
  sha256: z.string().meta({ description: 'SHA-256 of the content, in hexadecimal' }),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
}
