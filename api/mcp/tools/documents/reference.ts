import { NotFound } from '../../../../domain/errors.ts'
import { line } from '../../../routing/schemas.ts'
import { parseReference } from '../../resources/references.ts'

export const documentReference = line(500).meta({
  description: 'An `id` of a result such as `assets/<id>` or `artifacts/<id>`, or the id or slug of an artifact',
})

/** Reads the reference of a document. Throws NotFound for another resource. */
export function parseDocument(text: string): { kind: 'assets' | 'artifacts'; idOrSlug: string } {
  if (!text.includes('/')) return { kind: 'artifacts', idOrSlug: text }
  const { kind, idOrSlug } = parseReference(text)
  if (kind !== 'assets' && kind !== 'artifacts') throw new NotFound(`The document "${text}"`)
  return { kind, idOrSlug }
}
