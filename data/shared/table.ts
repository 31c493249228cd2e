import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm'
import { types } from 'pg'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/** A column of a table or a result. `T` is the type of its values in a row, without null. */
export interface Column<T = unknown> {
  /** The Postgres type name, without array brackets. */
  readonly type: ColumnType
  readonly isArray: boolean
  readonly isNullable: boolean
  readonly isPrimary: boolean
  /** Whether Postgres computes the value, so that statements never write it. */
  readonly isGenerated: boolean
  /** The expression that computes a result column. Absent for a table column. */
  readonly sql?: string
  /** Carries only the type `T`. Never set at run time. */
  readonly value?: T
}

/** Columns by name. */
export type Columns = Record<string, Column>

/** A row with these columns. */
export type Row<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : never }

const OIDS = {
  text: [types.builtins.TEXT, 1009],
  uuid: [types.builtins.UUID, 2951],
  boolean: [types.builtins.BOOL, 1000],
  smallint: [types.builtins.INT2, 1005],
  integer: [types.builtins.INT4, 1007],
  bigint: [types.builtins.INT8, 1016],
  numeric: [types.builtins.NUMERIC, 1231],
  'double precision': [types.builtins.FLOAT8, 1022],
  timestamptz: [types.builtins.TIMESTAMPTZ, 1185],
  date: [types.builtins.DATE, 1182],
  json: [types.builtins.JSON, 199],
  jsonb: [types.builtins.JSONB, 3807],
  bytea: [types.builtins.BYTEA, 1001],
} as const
export type ColumnType = keyof typeof OIDS

const column = <T>(type: ColumnType, options: Partial<Column<T>> = {}): Column<T> => ({
  type,
  isArray: false,
  isNullable: false,
  isPrimary: false,
  isGenerated: false,
  ...options,
})

export const text = <T extends string = string>(): Column<NoInfer<T>> => column('text')
export const texts = <T extends string | null = string>(): Column<NoInfer<T>[]> => column('text', { isArray: true })
export const uuid = (): Column<string> => column('uuid')
export const uuids = (): Column<string[]> => column('uuid', { isArray: true })
export const boolean = <T extends boolean = boolean>(): Column<NoInfer<T>> => column('boolean')
export const smallint = (): Column<number> => column('smallint')
export const integer = (): Column<number> => column('integer')
export const integers = (): Column<number[]> => column('integer', { isArray: true })
/** A count or an id below 2^53. */
export const bigint = (): Column<number> => column('bigint')
export const double = (): Column<number> => column('double precision')
export const numeric = (): Column<number> => column('numeric')
/** A time as ISO 8601 text in UTC, with milliseconds. */
export const time = (): Column<string> => column('timestamptz')
/** A day as the pg driver returns it: midnight in the time zone of the process. */
export const date = (): Column<Date> => column('date')
export const json = <T = JsonValue>(): Column<NoInfer<T>> => column('json')
export const jsonb = <T = JsonValue>(): Column<NoInfer<T>> => column('jsonb')
export const bytes = (): Column<Buffer> => column('bytea')

export const nullable = <T>(of: Column<T>): Column<T | null> => ({ ...of, isNullable: true })
/** A nullable column that the statement's condition guarantees to be non-null. */
export const present = <T>(of: Column<T | null>): Column<T> => ({ ...(of as Column<T>), isNullable: false })
export const primary = <T>(of: Column<T>): Column<T> => ({ ...of, isPrimary: true })
export const generated = <T>(of: Column<T>): Column<T> => ({ ...of, isGenerated: true })

/** A result column that is computed by `sql`. The SQL must be trusted text. */
export const computed = <T>(of: Column<T>, sql: string): Column<T> => ({ ...of, sql })

/**
 * A database table. Apart from the migrations, this is the only declaration of its columns. A test compares the two.
 */
export interface Table<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  readonly entity: EntitySchema<Row<C>>
}

export function defineTable<const C extends Columns>(name: string, columns: C): Table<C> {
  const options = Object.entries(columns).map(([key, field]) => [key, toEntityColumn(field)] as const)
  const entity = new EntitySchema<Row<C>>({ name, tableName: name, columns: Object.fromEntries(options) as never })
  return { name, columns, entity }
}

const toEntityColumn = (field: Column): EntitySchemaColumnOptions => ({
  type: field.type,
  array: field.isArray,
  nullable: field.isNullable,
  primary: field.isPrimary,
})

/** Returns some columns of a table. */
export const pick = <C extends Columns, Name extends keyof C & string>(
  table: Table<C>,
  ...names: Name[]
): Pick<C, Name> => Object.fromEntries(names.map(name => [name, table.columns[name]])) as Pick<C, Name>

/** Returns all columns of a table except the named ones. */
export const omit = <C extends Columns, Name extends keyof C & string>(
  table: Table<C>,
  ...names: Name[]
): Omit<C, Name> =>
  Object.fromEntries(Object.entries(table.columns).filter(([name]) => !names.includes(name as Name))) as Omit<C, Name>

/**
 * Returns the column list for a `select` or `returning` clause. With the prefix `jobs`: `jobs.job_id, jobs.title,
 * (expression) as outcome`. Expressions get no prefix.
 */
export const list = (columns: Columns, prefix?: string): string =>
  Object.entries(columns)
    .map(([name, { sql }]) => {
      if (sql !== undefined) return `${sql} as "${name}"`
      return prefix === undefined ? name : `${prefix}.${name}`
    })
    .join(', ')

/** Returns the column names with their types, as `json_to_recordset` expects them: `job_id text, turn integer`. */
export const listTypes = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, { type, isArray }]) => `${name} ${type}${isArray ? '[]' : ''}`)
    .join(', ')

/** A result column as described by Postgres. */
interface ResultField {
  name: string
  dataTypeID: number
}

/** Throws Error when the result columns differ in name or type from the declared columns. */
export function checkFields(fields: readonly ResultField[], columns: Columns, statement: string): void {
  const got = new Map(fields.map(field => [field.name, field.dataTypeID]))
  const differing = Object.entries(columns).filter(
    ([name, { type, isArray }]) => got.get(name) !== OIDS[type][isArray ? 1 : 0],
  )
  const surplus = fields.filter(({ name }) => !Object.hasOwn(columns, name))
  if (differing.length === 0 && surplus.length === 0) return
  const described = [
    ...differing.map(([name, { type }]) => `${name} is not ${type} but ${got.get(name) ?? 'missing'}`),
    ...surplus.map(({ name }) => `${name} is not declared`),
  ]
  throw new Error(`The result differs from its declaration: ${described.join(', ')}, in: ${statement}`)
}
