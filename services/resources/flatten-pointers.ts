import { ValidationError } from '../../domain/errors.ts'

/** Throws what went wrong with a save, as a product's shape has it: there the document's fields stand beside the head's. */
export function rethrowFlattened(error: unknown): never {
  if (!(error instanceof ValidationError)) throw error
  const details = error.details?.map(({ pointer, message }) => ({
    pointer: pointer.replace(/^\/document(?=\/)/, ''),
    message,
  }))
  throw new ValidationError(error.message, details)
}
