import type { Client } from 'pg'
import { type Migration, MigrationRefusal, recordedName } from './migration.ts'

/** A row of the table `migrations`. */
export interface AppliedMigration {
  id: number
  name: string
}

/** Lists the applied migrations, oldest first. */
export async function readHistory(client: Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('migrations') is not null as exists`,
  )
  if (!tables[0]?.exists) return []
  const { rows } = await client.query<{ id: string; name: string }>(
    'select timestamp as id, name from migrations order by timestamp',
  )
  return rows.map(({ id, name }) => ({ id: Number(id), name }))
}

export async function ensureHistory(client: Client): Promise<void> {
  await client.query(
    `create table if not exists migrations (id serial primary key, timestamp bigint not null, name varchar not null)`,
  )
}

export async function recordMigration(client: Client, migration: Migration): Promise<void> {
  await client.query('insert into migrations (timestamp, name) values ($1, $2)', [
    migration.id,
    recordedName(migration),
  ])
}

export async function forgetMigration(client: Client, migration: Migration): Promise<void> {
  await client.query('delete from migrations where name = $1', [recordedName(migration)])
}

/** Throws if the database has migrations that this version doesn't contain. */
export function requireKnownHistory(
  database: string,
  history: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  const names = new Set(migrations.map(recordedName))
  const unknown = history.filter(({ name }) => !names.has(name))
  if (unknown.length === 0) return
  const list = unknown.map(({ name }) => name).join(', ')
  const last = migrations.at(-1)?.id ?? 0
  throw new MigrationRefusal(
    unknown.every(({ id }) => id > last)
      ? `The database ${database} has migrations of a newer version (${list}). Run the newer version of ganglion-admin, or use it to revert them: ganglion-admin migrate --down --to ${last}`
      : `The database ${database} was created by another version (${list}). Drop it or use another one`,
  )
}
