import { ValidationError } from '../../domain/shared/errors.ts'
import type { ProductFields } from './product.ts'

/** The fields of the head. All others belong to the document. */
const HEAD = ['title', 'slug', 'path', 'scope', 'brain_id', 'is_active'] as const

/** Splits the defined fields into those of the head and those of the document. */
export function splitHeadAndDocument(fields: Omit<ProductFields, 'note'>) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const isHead = ([name]: [string, unknown]) => (HEAD as readonly string[]).includes(name)
  return {
    // The scope decides: beside it, a brain is only the context of the request.
    head: { ...Object.fromEntries(entries.filter(isHead)), ...(fields.scope === 'workspace' && { brain_id: null }) },
    document: Object.fromEntries(entries.filter(entry => !isHead(entry))),
  }
}

/** Splits the fields of a change. Throws ValidationError when there are none. */
export function splitChange(fields: Omit<ProductFields, 'note'>) {
  const { head, document } = splitHeadAndDocument(fields)
  if (Object.keys(head).length + Object.keys(document).length === 0)
    throw new ValidationError('The request must change something')
  return { head, document }
}
