import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm'
import { types } from 'pg'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/** A column of a table or of the result of a statement. `T` is the type of its values in rows, without null. */
export interface Column<T = unknown> {
  /** The name of the type in Postgres, without the brackets of an array. */
  readonly type: ColumnType
  readonly isArray: boolean
  readonly isNullable: boolean
  readonly isPrimary: boolean
  /** Whether Postgres computes the value, so that no statement writes it. */
  readonly isGenerated: boolean
  /** The expression that computes the column of a result. Absent for a column of a table. */
  readonly sql?: string
  /** Carries the type only; no column has it. */
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
/** A time as ISO 8601 text in UTC, to the millisecond. */
export const time = (): Column<string> => column('timestamptz')
/** A day, as pg reads it: midnight by the clock of the process. */
export const date = (): Column<Date> => column('date')
export const json = <T = JsonValue>(): Column<NoInfer<T>> => column('json')
export const jsonb = <T = JsonValue>(): Column<NoInfer<T>> => column('jsonb')
export const bytes = (): Column<Buffer> => column('bytea')

export const nullable = <T>(of: Column<T>): Column<T | null> => ({ ...of, isNullable: true })
/** A column of which the condition of the statement leaves out null. */
export const present = <T>(of: Column<T | null>): Column<T> => ({ ...(of as Column<T>), isNullable: false })
export const primary = <T>(of: Column<T>): Column<T> => ({ ...of, isPrimary: true })
export const generated = <T>(of: Column<T>): Column<T> => ({ ...of, isGenerated: true })

/** A column of a result that `sql`, trusted text, computes. */
export const computed = <T>(of: Column<T>, sql: string): Column<T> => ({ ...of, sql })

/** A table of the database: the only declaration of its columns beside the migrations, which a test compares with it. */
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

/** Some columns of a table. */
export const pick = <C extends Columns, Name extends keyof C & string>(
  table: Table<C>,
  ...names: Name[]
): Pick<C, Name> => Object.fromEntries(names.map(name => [name, table.columns[name]])) as Pick<C, Name>

/** All columns of a table without some. */
export const omit = <C extends Columns, Name extends keyof C & string>(
  table: Table<C>,
  ...names: Name[]
): Omit<C, Name> =>
  Object.fromEntries(Object.entries(table.columns).filter(([name]) => !names.includes(name as Name))) as Omit<C, Name>

/**
 * The columns as the list of a `select` or `returning`: `jobs.job_id, jobs.title, (expression) as outcome` with the prefix
 * `jobs`, which expressions do not get.
 */
export const list = (columns: Columns, prefix?: string): string =>
  Object.entries(columns)
    .map(([name, { sql }]) => {
      if (sql !== undefined) return `${sql} as "${name}"`
      return prefix === undefined ? name : `${prefix}.${name}`
    })
    .join(', ')

/** The names with their types, as `json_to_recordset` takes them: `job_id text, turn integer`. */
export const listTypes = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, { type, isArray }]) => `${name} ${type}${isArray ? '[]' : ''}`)
    .join(', ')

/** A column of a result as Postgres describes it. */
interface ResultField {
  name: string
  dataTypeID: number
}

/** Throws Error when the columns of a result are not the declared ones, by name and type. */
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
