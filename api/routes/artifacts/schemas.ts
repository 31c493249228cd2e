import { z } from 'zod'
import { mediaType } from '../../../domain/resources/fields.ts'
import type { ArtifactView } from '../../../services/documents/types.ts'
import { line, pageSchema } from '../../routing/schemas.ts'
import { givenFields, shownFields } from '../documents/schemas.ts'
import { note } from '../resources/schemas.ts'

export const createBody = z.strictObject({
  title: line(),
  content: z.string().meta({ description: 'The full text' }),
  media_type: mediaType.optional().meta({ description: 'Default: text/markdown' }),
  slug: line(100).optional(),
  ...givenFields,
  note,
})

export const artifact = z.object(shownFields).meta({ id: 'Artifact' }) satisfies z.ZodType<Omit<ArtifactView, 'type'>>
export const artifactPage = pageSchema(artifact)
