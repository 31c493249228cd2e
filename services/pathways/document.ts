import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { PathwayView } from '../../contract/pathways/pathway.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'

/** The document of a pathway. */
export interface PathwayDocument {
  description: string | null
  definition: PathwayDefinition
}

/** Presents a pathway in its product's shape: the fields of its document are beside those of all kinds. */
export function pathwayView({ document, ...head }: ResourceView): PathwayView {
  const { description, definition } = document as PathwayDocument
  return { ...head, type: 'pathways', description, definition }
}
