import { Client } from 'pg'
import { tables } from '../../../data/tables.ts'
import type { Column } from '../../../data/shared/table.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'

type Declared = Pick<Column, 'type' | 'isArray' | 'isNullable' | 'isPrimary' | 'isGenerated'>

let database: TestDatabase
/** The columns in the migrated database, by table and name. */
let migrated: Map<string, Record<string, Declared>>

beforeAll(async () => {
  database = await createTestDatabase()
  migrated = await readColumns(database.adminUrl)
})
afterAll(() => database.drop())

/**
 * Reads the columns as the owner, who sees all tables. An identity column counts as generated, because no statement
 * writes it.
 */
async function readColumns(adminUrl: string): Promise<Map<string, Record<string, Declared>>> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  const { rows } = await client.query<Declared & { table: string; name: string }>(`
    select relname as table, attname as name, typelem <> 0 and typlen = -1 as "isArray",
           replace(rtrim(format_type(atttypid, null), '[]'), 'timestamp with time zone', 'timestamptz') as type,
           not attnotnull as "isNullable", attgenerated <> '' or attidentity <> '' as "isGenerated",
           coalesce(attnum = any(conkey), false) as "isPrimary"
      from pg_class
      join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
      join pg_type on pg_type.oid = atttypid
      left join pg_constraint on conrelid = pg_class.oid and contype = 'p'
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'migrations'`)
  await client.end()
  const columns = new Map<string, Record<string, Declared>>()
  for (const { table, name, ...column } of rows) columns.set(table, { ...columns.get(table), [name]: column })
  return columns
}

test('every database table is declared exactly once', () => {
  expect(tables.map(({ name }) => name).sort()).toEqual([...migrated.keys()].sort())
})

test.each(tables.map(({ name, columns }) => ({ name, columns })))(
  '$name is declared as it is in the migrated database',
  ({ name, columns }) => {
    const declared = Object.entries(columns).map(
      ([column, { type, isArray, isNullable, isPrimary, isGenerated }]): [string, Declared] => [
        column,
        { type, isArray, isNullable, isPrimary, isGenerated },
      ],
    )
    expect(Object.fromEntries(declared)).toEqual(migrated.get(name))
  },
)
