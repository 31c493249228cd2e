import type { Tx } from './database.ts'
import { select } from './statements.ts'
import { bigint, boolean, list, nullable, type Columns, type Row } from './table.ts'

export interface Page<R> {
  rows: R[]
  /**
   * The total number of rows, even if the page is past the end. At most `MAX_COUNTED_AFTER` rows past the page are
   * counted.
   */
  total: number
}

/** Maximum number of rows counted past a page, so that response times do not grow with the size of the workspace. */
export const MAX_COUNTED_AFTER = 1_000

/** Collects SQL conditions and numbers their parameters. */
export function createFilter() {
  const conditions: string[] = []
  const parameters: unknown[] = []
  return {
    parameters,
    /** Adds a parameter and returns its placeholder, for use in a condition passed to `add`. */
    bind: (value: unknown): string => `$${parameters.push(value)}`,
    add: (condition: string) => void conditions.push(condition),
    /** Adds `condition`, in which `?` stands for the value. Has no effect when the value is undefined. */
    where(condition: string, value: unknown) {
      if (value === undefined) return
      parameters.push(value)
      conditions.push(condition.replaceAll('?', `$${parameters.length}`))
    },
    /**
     * Requires a column to have one of these values. Compares a single value with `=`, which preserves the index
     * order.
     */
    whereOneOf(column: string, values?: readonly string[]) {
      if (values?.length === 1) this.where(`${column} = ?`, values[0])
      else this.where(`${column} = any(?)`, values)
    },
    text: () => (conditions.length ? `where ${conditions.join(' and ')}` : ''),
    /** Returns all conditions as one expression. */
    expression: () => (conditions.length ? `(${conditions.join(' and ')})` : 'true'),
  }
}

/** The columns that precede the page columns in a result: the total number of rows, and whether the row exists. */
export const COUNTED = { total: bigint(), present: nullable(boolean()) }

/** Reads a page and the total in one statement. `from` must not contain user input. */
export async function readPage<C extends Columns>(
  tx: Tx,
  query: { columns: C; from: string; order: string; limit: number; offset: number },
  filter: ReturnType<typeof createFilter>,
): Promise<Page<Row<C>>> {
  const where = filter.text()
  const limit = filter.parameters.length + 1
  const rows = await select(
    tx,
    withCount(query.columns),
    `select counted.total, page.*
       from (select count(*) as total
               from (select from ${query.from} ${where}
                      limit $${limit}::bigint + $${limit + 1}::bigint + ${MAX_COUNTED_AFTER}) found) counted
       left join lateral (
         select true as present, ${list(query.columns)} from ${query.from} ${where}
          order by ${query.order} limit $${limit} offset $${limit + 1}
       ) page on true`,
    [...filter.parameters, query.limit, query.offset],
  )
  return toPage(rows as (Row<typeof COUNTED> & Row<C>)[])
}

const counted = new WeakMap<Columns, Columns>()

/** Returns the same object for the same columns, so that result columns are compared only once. */
function withCount<C extends Columns>(columns: C): C & typeof COUNTED {
  const withTotal = (counted.get(columns) ?? { ...COUNTED, ...columns }) as C & typeof COUNTED
  counted.set(columns, withTotal)
  return withTotal
}

/** Separates the rows of a page from the row count. */
export const toPage = <R extends object>(rows: (R & Row<typeof COUNTED>)[]): Page<R> => ({
  rows: rows.filter(row => row.present).map(stripCount),
  total: rows[0]?.total ?? 0,
})

function stripCount<R extends object>(row: R & Row<typeof COUNTED>): R {
  const { total: _total, present: _present, ...rest } = row
  return rest as unknown as R
}
