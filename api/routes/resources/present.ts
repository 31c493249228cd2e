import type { z } from 'zod'
import type { PathwayView } from '../../../services/pathways/types.ts'
import type { resource } from './schemas.ts'

/** A pathway in the shape all kinds have in the catalog. */
export function presentResource(pathway: PathwayView): z.output<typeof resource> {
  const { description, definition, ...head } = pathway
  return { ...head, document: { description, definition } }
}
