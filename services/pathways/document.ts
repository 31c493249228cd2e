import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { PathwayView } from '../../contract/pathways/pathway.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'

/** A pathway's stored document. */
export interface PathwayDocument {
  description: string | null
  definition: PathwayDefinition
}

/** Returns a pathway in its product form, with the document's fields at the top level. */
export function pathwayView({ document, ...head }: ResourceView): PathwayView {
  const { description, definition } = document as PathwayDocument
  return { ...head, type: 'pathways', description, definition }
}
