import type { PathwayDefinition } from '../../domain/pathway/definition.ts'
import type { ResourceView } from '../resources/types.ts'
import type { PathwayView } from './types.ts'

/** The document of a pathway. */
export interface PathwayDocument {
  description: string | null
  definition: PathwayDefinition
}

/** Presents a pathway in its product's shape: the fields of its document are beside those of all kinds. */
export function pathwayView({ document, scope: _scope, type: _type, ...head }: ResourceView): PathwayView {
  const { id, slug, title, path, brain_id, is_active, version, created_at, updated_at, deleted_at } = head
  const { description, definition } = document as PathwayDocument
  return {
    id,
    slug,
    type: 'pathways',
    title,
    description,
    path,
    brain_id,
    is_active,
    version,
    definition,
    created_at,
    updated_at,
    deleted_at,
  }
}
