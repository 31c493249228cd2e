import { types } from 'pg'

const { INT8, NUMERIC, TIMESTAMPTZ } = types.builtins

const OURS = new Map<number, (text: string) => unknown>([
  [TIMESTAMPTZ, text => new Date(text).toISOString()],
  [INT8, Number],
  [NUMERIC, Number],
])

/**
 * Parses times to ISO 8601 in UTC with milliseconds, and counts and amounts of money to numbers. Rows from raw SQL
 * then have the same shape as types in `domain/`. The pg driver itself parses JSON.
 */
export const columnTypes: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary') =>
    (format !== 'binary' && OURS.get(oid)) || types.getTypeParser(oid, format),
}
