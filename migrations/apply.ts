import type { Client } from 'pg'
import { hasCode, QUERY_CANCELED } from './error-codes.ts'
import { forgetMigration, recordMigration } from './history.ts'
import { type LockPatience, withLockBudget, withoutLockBudget } from './lock-budget.ts'
import { type Migration, type RowChange, recordedName, renderSql } from './migration.ts'

/** Runs a migration and records it. */
export async function applyMigration(client: Client, migration: Migration, patience: LockPatience): Promise<void> {
  const { change } = migration
  if (change.kind === 'schema') return changeSchema(client, migration, 'up', patience)
  if (change.kind === 'index') await changeIndex(client, change.index, renderSql(migration, 'up'))
  else await changeRows(client, change, patience)
  await recordMigration(client, migration)
}

/** Reverts a migration and removes its record. */
export async function revertMigration(client: Client, migration: Migration, patience: LockPatience): Promise<void> {
  const { change } = migration
  if (change.kind === 'schema') return changeSchema(client, migration, 'down', patience)
  if (change.kind === 'index') await changeIndex(client, change.index, renderSql(migration, 'down'))
  await forgetMigration(client, migration)
}

async function changeSchema(
  client: Client,
  migration: Migration,
  direction: 'up' | 'down',
  patience: LockPatience,
): Promise<void> {
  await withLockBudget(client, patience, () =>
    inTransaction(client, async () => {
      await client.query(renderSql(migration, direction))
      await (direction === 'up' ? recordMigration : forgetMigration)(client, migration)
    }),
  ).catch((error: unknown) => {
    if (!hasCode(error, QUERY_CANCELED)) throw error
    throw new Error(`A statement of ${recordedName(migration)} took too long and was rolled back`, { cause: error })
  })
}

/** Builds or drops the index. An interrupted change leaves an invalid index, which is dropped first. */
async function changeIndex(client: Client, index: string, sql: string): Promise<void> {
  await withoutLockBudget(client)
  const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
    index,
  ])
  if (rows.length > 0) await client.query(`drop index concurrently ${index}`)
  await client.query(sql)
}

const PROGRESS_MS = 10_000

/** Row-level security also applies to the owner of the tables, so the rows are changed workspace by workspace. */
async function changeRows(client: Client, { update }: RowChange, patience: LockPatience): Promise<void> {
  let total = 0
  let reportedAt = Date.now()
  for (const id of await listWorkspaces(client)) {
    let changed = 0
    do {
      changed = await withLockBudget(client, patience, () =>
        inTransaction(client, async () => {
          await client.query(`select set_config('app.workspace_id', $1, true)`, [id])
          return (await client.query(update)).rowCount ?? 0
        }),
      )
      total += changed
      if (Date.now() - reportedAt > PROGRESS_MS) {
        patience.log(`${total} rows changed so far`)
        reportedAt = Date.now()
      }
    } while (changed > 0)
  }
}

const listWorkspaces = (client: Client): Promise<string[]> =>
  inTransaction(client, async () => {
    await client.query(`set local app.indexing = 'on'`)
    const { rows } = await client.query<{ id: string }>('select id from workspaces order by id')
    return rows.map(({ id }) => id)
  })

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
