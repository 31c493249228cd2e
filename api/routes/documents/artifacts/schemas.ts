import { z } from 'zod'
import { mediaType } from '../../../../domain/resources/fields.ts'
import { slug, title } from '../../../../domain/resources/names.ts'
import type { ArtifactView } from '../../../../services/documents/types.ts'
import { pageSchema } from '../../../../contract/shared/page.ts'
import { givenFields, shownFields } from '../schemas.ts'
import { note } from '../../../../contract/resources/head.ts'

export const createBody = z.strictObject({
  title,
  content: z.string().meta({ description: 'The full text: at most 5,000,000 bytes of UTF-8' }),
  media_type: mediaType.optional().meta({ description: 'Default: text/markdown' }),
  slug: slug.optional(),
  ...givenFields,
  note,
})

export const artifact = z.object(shownFields).meta({ id: 'Artifact' }) satisfies z.ZodType<Omit<ArtifactView, 'type'>>
export const artifactPage = pageSchema(artifact)
