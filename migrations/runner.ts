import type { Client } from 'pg'
import { migrations as released } from './all.ts'
import { ensureAppRole, grantAppRole } from './app-role.ts'
import { applyMigration, revertMigration } from './apply.ts'
import { compressByLz4, expectLargeWorkspaces } from './column-settings.ts'
import { acquireMigrationLock, connectCreating, connectOwner, databaseName, requireSchema } from './connection.ts'
import { type AppliedMigration, ensureHistory, readHistory, requireKnownHistory } from './history.ts'
import { type LockPatience, withLockBudget } from './lock-budget.ts'
import { type Migration, recordedName } from './migration.ts'
import { restoreOwnerPolicies } from './owner-policies.ts'
import { type MigrationTarget, selectMigrations } from './select-migrations.ts'

export interface MigrationOptions extends MigrationTarget, Partial<LockPatience> {
  /** Default: all migrations of this version. */
  migrations?: readonly Migration[]
}

export interface MigrationRun {
  /** Names of the applied migrations, in order. */
  applied: string[]
  /** Names of the reverted migrations, in order. */
  reverted: string[]
}

export interface MigrationPlan {
  database: string
  /** Names of the migrations that the database has. */
  applied: string[]
  /** Migrations that a run would apply or revert, in order. */
  steps: Migration[]
}

const LOCK_SECONDS = 300

/** Returns what `migrate` would do. Changes nothing. */
export async function planMigrations(adminUrl: string, options: MigrationOptions = {}): Promise<MigrationPlan> {
  const client = await connectOwner(adminUrl)
  try {
    const history = client ? await readHistory(client) : []
    const steps = selectSteps(adminUrl, history, options)
    return { database: databaseName(adminUrl), applied: history.map(({ name }) => name), steps }
  } finally {
    await client?.end()
  }
}

/**
 * Migrates a database. Creates the database and the application role if they are missing, applies or reverts
 * migrations, and grants the role its permissions. Then creates owner policies, and sets the compression of large
 * values and the planner statistics of workspaces. Concurrent calls wait for each other.
 * @param adminUrl the owner of the tables; may create databases and roles
 * @param appUrl contains the application role and its password
 */
export async function migrate(adminUrl: string, appUrl: string, options: MigrationOptions = {}): Promise<MigrationRun> {
  const patience = { lockSeconds: options.lockSeconds ?? LOCK_SECONDS, log: options.log ?? (() => undefined) }
  const client = await connectCreating(adminUrl)
  try {
    await acquireMigrationLock(client, patience.log)
    await requireSchema(client)
    const steps = selectSteps(adminUrl, await readHistory(client), options)
    await ensureAppRole(client, appUrl)
    await ensureHistory(client)
    const run = options.down ? revertMigration : applyMigration
    for (const migration of steps) {
      patience.log(`${options.down ? 'Reverting' : 'Applying'} ${recordedName(migration)}`)
      await run(client, migration, patience)
    }
    await configureDatabase(client, appUrl, patience)
    const names = steps.map(recordedName)
    return { applied: options.down ? [] : names, reverted: options.down ? names : [] }
  } finally {
    await client.end()
  }
}

function selectSteps(
  adminUrl: string,
  history: AppliedMigration[],
  { migrations = released, ...target }: MigrationOptions,
): Migration[] {
  requireKnownHistory(databaseName(adminUrl), history, migrations)
  return selectMigrations(migrations, history, target)
}

async function configureDatabase(client: Client, appUrl: string, patience: LockPatience): Promise<void> {
  const actions = [
    () => grantAppRole(client, appUrl),
    () => restoreOwnerPolicies(client),
    () => compressByLz4(client),
    () => expectLargeWorkspaces(client),
  ]
  for (const action of actions) await withLockBudget(client, patience, action)
}
