import type { Tx } from './database.ts'
import { list, type Column, type Columns, type Row, type Table } from './table.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'

/** Runs a statement that returns rows with these columns. Throws Error when the result columns differ. */
export async function select<C extends Columns>(
  tx: Tx,
  columns: C,
  statement: string,
  parameters: unknown[] = [],
): Promise<Row<C>[]> {
  const { rows } = await tx.run(statement, parameters, columns)
  return rows as Row<C>[]
}

/** Runs a statement and returns the first row with these columns, or undefined if there is none. */
export async function selectOne<C extends Columns>(
  tx: Tx,
  columns: C,
  statement: string,
  parameters: unknown[] = [],
): Promise<Row<C> | undefined> {
  const [row] = await select(tx, columns, statement, parameters)
  return row
}

/** Returns the row of a statement that always returns a row, such as a count. Throws Error if the row is missing. */
export function requireRow<R>(row: R | undefined): R {
  if (row === undefined) throw new Error('The statement returned no row')
  return row
}

/** Runs a statement and returns the number of rows that were written or returned. */
export async function execute(tx: Tx, statement: string, parameters: unknown[] = []): Promise<number> {
  const { rowCount } = await tx.run(statement, parameters)
  return rowCount ?? 0
}

/**
 * The values of a row to insert. Columns that are omitted or undefined get their default. Generated columns, and
 * fields that are not columns, are not written.
 */
export type NewRow<C extends Columns> = Partial<Row<C>>

/**
 * Inserts a row and returns the number of written rows. The number is 0 if `rest` prevents the insert, for example
 * with `on conflict do nothing`. A JSON null is stored as SQL null. Within JSON values, text that Postgres cannot
 * store is replaced. In other values, it causes a ValidationError.
 */
export function insert<C extends Columns>(tx: Tx, table: Table<C>, row: NewRow<C>, rest = ''): Promise<number> {
  const { statement, values } = buildInsert(table, row)
  return execute(tx, `${statement} ${rest}`, values)
}

/** Inserts a row and returns these columns of the new row, or undefined if `rest` prevents the insert. */
export function insertReturning<C extends Columns, R extends Columns>(
  tx: Tx,
  table: Table<C>,
  row: NewRow<C>,
  returned: R,
  rest = '',
): Promise<Row<R> | undefined> {
  const { statement, values } = buildInsert(table, row)
  return selectOne(tx, returned, `${statement} ${rest} returning ${list(returned)}`, values)
}

/**
 * Writes the given fields to the rows that match `condition`, whose parameters start at `$1`. Returns the number of
 * rows. Undefined fields keep their values.
 */
export function update<C extends Columns>(
  tx: Tx,
  table: Table<C>,
  fields: Partial<Row<C>>,
  condition: string,
  parameters: unknown[],
): Promise<number> {
  const { names, values } = toAssignments(table, fields)
  const assignments = names.map((name, i) => `${name} = $${parameters.length + i + 1}`).join(', ')
  return execute(tx, `update ${table.name} set ${assignments} where ${condition}`, [...parameters, ...values])
}

function buildInsert<C extends Columns>(table: Table<C>, row: NewRow<C>): { statement: string; values: unknown[] } {
  const { names, values } = toAssignments(table, row)
  const places = names.map((_, i) => `$${i + 1}`).join(', ')
  return { statement: `insert into ${table.name} (${names.join(', ')}) values (${places})`, values }
}

function toAssignments<C extends Columns>(
  { columns }: Table<C>,
  row: Partial<Row<C>>,
): { names: string[]; values: unknown[] } {
  const given = Object.entries(columns).filter(([name, { isGenerated }]) => !isGenerated && row[name] !== undefined)
  return { names: given.map(([name]) => name), values: given.map(([name, column]) => toParameter(column, row[name])) }
}

/** `pg` would send an array as a Postgres array, and would not replace text in JSON that Postgres cannot store. */
const toParameter = ({ type }: Column, value: unknown): unknown =>
  value !== null && (type === 'json' || type === 'jsonb') ? toStorableJson(value) : value

/**
 * Runs `work` in a savepoint. If `work` fails, rolls back its writes and rethrows the error. The transaction can then
 * continue.
 */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await execute(tx, 'savepoint before_work')
  try {
    return await work()
  } catch (error) {
    await execute(tx, 'rollback to savepoint before_work')
    throw error
  }
}
