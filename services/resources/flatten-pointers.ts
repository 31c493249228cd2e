import { ValidationError } from '../../domain/shared/errors.ts'

/** Rethrows a save error with the pointers used in the product form, without `/document`. */
export function rethrowFlattened(error: unknown): never {
  if (!(error instanceof ValidationError)) throw error
  const details = error.details?.map(({ pointer, message }) => ({
    pointer: pointer.replace(/^\/document(?=\/)/, ''),
    message,
  }))
  throw new ValidationError(error.message, details)
}
