import type { Tx } from './database.ts'
import { list, type Column, type Columns, type Row, type Table } from './table.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'

/** Runs a statement that returns rows with these columns. Throws Error when its result has others. */
export async function select<C extends Columns>(
  tx: Tx,
  columns: C,
  statement: string,
  parameters: unknown[] = [],
): Promise<Row<C>[]> {
  const { rows } = await tx.run(statement, parameters, columns)
  return rows as Row<C>[]
}

/** Runs a statement that returns at most one row with these columns, or of which only the first counts. */
export async function selectOne<C extends Columns>(
  tx: Tx,
  columns: C,
  statement: string,
  parameters: unknown[] = [],
): Promise<Row<C> | undefined> {
  const [row] = await select(tx, columns, statement, parameters)
  return row
}

/** Returns the row of a statement that always has one, such as a count. Throws Error without one. */
export function requireRow<R>(row: R | undefined): R {
  if (row === undefined) throw new Error('The statement returned no row')
  return row
}

/** Runs a statement and returns how many rows it has written, or returned. */
export async function execute(tx: Tx, statement: string, parameters: unknown[] = []): Promise<number> {
  const { rowCount } = await tx.run(statement, parameters)
  return rowCount ?? 0
}

/**
 * Values of a row to be inserted. Columns that are left out, or undefined, take their default. Columns that Postgres
 * computes, and other fields than the columns, are not written.
 */
export type NewRow<C extends Columns> = Partial<Row<C>>

/**
 * Inserts a row and returns how many were written: none where `rest`, such as `on conflict do nothing`, says so. A JSON
 * value of null is stored as SQL null. Texts of JSON values that Postgres cannot hold are replaced, others are refused with
 * ValidationError.
 */
export function insert<C extends Columns>(tx: Tx, table: Table<C>, row: NewRow<C>, rest = ''): Promise<number> {
  const { statement, values } = buildInsert(table, row)
  return execute(tx, `${statement} ${rest}`, values)
}

/** Inserts a row and returns these columns of it; undefined where `rest` says so that no row is written. */
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
 * Writes the given fields of the rows that meet `condition`, whose parameters begin at `$1`, and returns how many there are.
 * Fields that are undefined keep their value.
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

/** `pg` would send an array as one of Postgres, and an object as JSON with texts that Postgres cannot hold. */
const toParameter = ({ type }: Column, value: unknown): unknown =>
  value !== null && (type === 'json' || type === 'jsonb') ? toStorableJson(value) : value

/**
 * Does `work`, and takes back what it has written when it fails, so that the transaction can go on. Throws what `work`
 * throws.
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
