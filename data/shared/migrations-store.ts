import type { Tx } from './database.ts'
import { select } from './statements.ts'
import { text } from './table.ts'

/** Lists the recorded names of the migrations that the database has. */
export async function listMigrations(tx: Tx): Promise<string[]> {
  const rows = await select(tx, { name: text() }, 'select name::text from migrations order by timestamp')
  return rows.map(({ name }) => name)
}
