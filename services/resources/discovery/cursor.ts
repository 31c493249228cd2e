import { z } from 'zod'
import { ValidationError } from '../../../domain/shared/errors.ts'
import { isStorable } from '../../../domain/shared/json/storable.ts'

/** Encodes the position of a page's last entry. */
export const formatCursor = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** Decodes a cursor. Throws ValidationError if the position in the cursor does not match `shape`. */
export function parseCursor<T>(cursor: string, shape: z.ZodType<T>): T {
  const place = shape.safeParse(parseJson(cursor))
  if (!place.success)
    throw new ValidationError('The cursor must come from the same listing', [
      { pointer: '/cursor', message: 'must be a cursor from the same listing' },
    ])
  return place.data
}

/** A title in a position: any text that the database can store. */
export const titleText = z.string().max(1_000).refine(isStorable)

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
