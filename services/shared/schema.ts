import type { Database } from '../../data/shared/database.ts'
import { listMigrations } from '../../data/shared/migrations-store.ts'
import { migrations } from '../../migrations/all.ts'
import { hasCode, NO_PRIVILEGE, NO_SUCH_TABLE } from '../../migrations/error-codes.ts'
import { recordedName } from '../../migrations/migration.ts'

type SystemDatabase = Pick<Database, 'system'>

/** Differences between the database and this version, as recorded names. */
export interface SchemaState {
  /** Migrations of this version that the database lacks. */
  pending: string[]
  /** Migrations of the database that this version doesn't contain. */
  newer: string[]
}

/** Compares the migrations of the database with this version. Throws if Postgres doesn't respond. */
export async function readSchemaState(db: SystemDatabase): Promise<SchemaState> {
  // Until the first migration, the table doesn't exist or the role can't read it.
  const applied = await db.system(listMigrations).catch((error: unknown) => {
    if (hasCode(error, NO_SUCH_TABLE, NO_PRIVILEGE)) return [] as string[]
    throw error
  })
  const names = migrations.map(recordedName)
  return {
    pending: names.filter(name => !applied.includes(name)),
    newer: applied.filter(name => !names.includes(name)),
  }
}

/** Throws unless Postgres responds and has all migrations of this version. The database may be newer. */
export async function requireMigrated(db: SystemDatabase): Promise<void> {
  const { pending } = await readSchemaState(db)
  if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}. Run "ganglion-admin migrate"`)
}
