import { ValidationError } from '../../domain/shared/errors.ts'
import type { ProductFields } from './product.ts'

/** The head fields. All other fields belong to the document. */
const HEAD = ['title', 'slug', 'path', 'scope', 'brain_id', 'is_active'] as const

/** Splits the defined fields into head fields and document fields. */
export function splitHeadAndDocument(fields: Omit<ProductFields, 'note'>) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const isHead = ([name]: [string, unknown]) => (HEAD as readonly string[]).includes(name)
  return {
    // The scope takes precedence. If a scope is set, the brain is only the request context.
    head: { ...Object.fromEntries(entries.filter(isHead)), ...(fields.scope === 'workspace' && { brain_id: null }) },
    document: Object.fromEntries(entries.filter(entry => !isHead(entry))),
  }
}

/** Splits a change into head and document fields. Throws ValidationError if the change has no fields. */
export function splitChange(fields: Omit<ProductFields, 'note'>) {
  const { head, document } = splitHeadAndDocument(fields)
  if (Object.keys(head).length + Object.keys(document).length === 0)
    throw new ValidationError('The request must change at least one field')
  return { head, document }
}
