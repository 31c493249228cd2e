import type { Tx } from './database.ts'
import { select } from './statements.ts'
import { bigint, boolean, list, nullable, type Columns, type Row } from './table.ts'

export interface Page<R> {
  rows: R[]
  /** The number of all rows, also when the page is past the end. It is counted up to `MAX_COUNTED_AFTER` past the page. */
  total: number
}

/** Rows past a page that are counted: the time of a list does not grow with what the workspace holds. */
export const MAX_COUNTED_AFTER = 1_000

/** Collects conditions and numbers their parameters. */
export function createFilter() {
  const conditions: string[] = []
  const parameters: unknown[] = []
  return {
    parameters,
    /** Adds a parameter. Returns its place in a condition of `add`. */
    bind: (value: unknown): string => `$${parameters.push(value)}`,
    add: (condition: string) => void conditions.push(condition),
    /** Adds `condition`, with `?` as placeholder of the value. Does nothing when the value is undefined. */
    where(condition: string, value: unknown) {
      if (value === undefined) return
      parameters.push(value)
      conditions.push(condition.replaceAll('?', `$${parameters.length}`))
    },
    /** Adds that a column has one of these values. One value alone is compared by `=`, which keeps the order of an index. */
    whereOneOf(column: string, values?: readonly string[]) {
      if (values?.length === 1) this.where(`${column} = ?`, values[0])
      else this.where(`${column} = any(?)`, values)
    },
    text: () => (conditions.length ? `where ${conditions.join(' and ')}` : ''),
    /** All conditions as one expression. */
    expression: () => (conditions.length ? `(${conditions.join(' and ')})` : 'true'),
  }
}

/** The columns that a statement has before those of its page: the number of all rows, and whether there is a row. */
export const COUNTED = { total: bigint(), present: nullable(boolean()) }

/** Reads one page and the total in one statement. `from` must not hold user input. */
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

/** One object for the same columns, so that the result of a list is compared with them once. */
function withCount<C extends Columns>(columns: C): C & typeof COUNTED {
  const withTotal = (counted.get(columns) ?? { ...COUNTED, ...columns }) as C & typeof COUNTED
  counted.set(columns, withTotal)
  return withTotal
}

/** Separates a page from the count of its statement. */
export const toPage = <R extends object>(found: (R & Row<typeof COUNTED>)[]): Page<R> => ({
  rows: found.filter(row => row.present).map(stripCount),
  total: found[0]?.total ?? 0,
})

function stripCount<R extends object>(row: R & Row<typeof COUNTED>): R {
  const { total: _total, present: _present, ...rest } = row
  return rest as unknown as R
}
