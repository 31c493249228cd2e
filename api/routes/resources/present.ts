import type { z } from 'zod'
import { ValidationError } from '../../../domain/errors.ts'
import type { PathwayView } from '../../../services/pathways/types.ts'
import type { resource } from './schemas.ts'

/** A pathway in the shape all kinds have in the catalog. */
export function presentResource(pathway: PathwayView): z.output<typeof resource> {
  const { description, definition, ...head } = pathway
  return { ...head, document: { description, definition } }
}

const DOCUMENT_FIELDS = /^\/(?:definition|description)(?:\/|$)/

/** Points problems of a save at the places they have in the body of the catalog. */
export function pointIntoDocument(error: unknown): never {
  if (!(error instanceof ValidationError)) throw error
  const details = error.details?.map(({ pointer, message }) => {
    return { pointer: DOCUMENT_FIELDS.test(pointer) ? `/document${pointer}` : pointer, message }
  })
  throw new ValidationError(error.message, details)
}
