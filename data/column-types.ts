import { types } from 'pg'

const { INT8, NUMERIC, TIMESTAMPTZ } = types.builtins

const OURS = new Map<number, (text: string) => unknown>([
  [TIMESTAMPTZ, text => new Date(text).toISOString()],
  [INT8, Number],
  [NUMERIC, Number],
])

/**
 * How columns reach us: times as ISO 8601 in UTC with milliseconds, counts and money as numbers; so a row read with
 * raw SQL already has the shapes of `domain/`. JSON is parsed, as pg does by itself.
 */
export const columnTypes: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary') =>
    (format !== 'binary' && OURS.get(oid)) || types.getTypeParser(oid, format),
}
