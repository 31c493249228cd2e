import { z } from 'zod'
import { mediaType } from '../../domain/resources/fields.ts'
import { slug, title } from '../../domain/resources/names.ts'
import { note } from '../resources/head.ts'
import { pageSchema } from '../shared/page.ts'
import { givenFields, shownFields } from './document.ts'

export const artifactBody = z.strictObject({
  title,
  content: z.string().meta({ description: 'The full text: at most 5,000,000 bytes of UTF-8' }),
  media_type: mediaType.optional().meta({ description: 'Default: text/markdown' }),
  slug: slug.optional(),
  ...givenFields,
  note,
})

export type NewArtifact = z.output<typeof artifactBody>

export const artifact = z.object(shownFields).meta({ id: 'Artifact' })

/** A document written in Ganglion. */
export type ArtifactView = z.output<typeof artifact>

export const artifactPage = pageSchema(artifact)
