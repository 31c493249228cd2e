import { z } from 'zod'
import type { ArtifactView, AssetView } from '../../../../services/documents/types.ts'
import { toReference } from '../../resources/references.ts'

/** A document as tools show it, without its text. */
export const document = z.object({
  id: z.string().meta({ description: 'For read_document' }),
  slug: z.string(),
  title: z.string(),
  path: z.string(),
  version: z.int(),
  media_type: z.string(),
  size: z.int(),
})

export function presentDocument({ id, type, slug, title, path, version, media_type, size }: ArtifactView | AssetView) {
  return { id: toReference(type, id), slug, title, path, version, media_type, size }
}
