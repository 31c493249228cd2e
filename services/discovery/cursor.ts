import { z } from 'zod'
import { ValidationError } from '../../domain/errors.ts'

/** The place a page ends at, as a text that callers only hand back. */
export const formatCursor = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** Throws ValidationError for what is no cursor of this listing: `shape` says what its places look like. */
export function parseCursor<T>(cursor: string, shape: z.ZodType<T>): T {
  const place = shape.safeParse(parseJson(cursor))
  if (!place.success)
    throw new ValidationError('The cursor must come from this listing', [
      { pointer: '/cursor', message: 'must be a cursor of this listing' },
    ])
  return place.data
}

/** The title of a resource in a place: any text that the database takes. */
export const titleText = z
  .string()
  .max(1_000)
  .refine(text => !text.includes('\0') && text.isWellFormed())

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
