import type { AppliedMigration } from './history.ts'
import { type Migration, MigrationRefusal, recordedName } from './migration.ts'

export interface MigrationTarget {
  /** Id of the last migration that the database has afterwards. */
  to?: number
  /** Revert migrations instead of applying them. */
  down?: boolean
}

/** Returns the migrations to apply or to revert, in the order in which they run. Throws if that isn't possible. */
export function selectMigrations(
  migrations: readonly Migration[],
  history: readonly AppliedMigration[],
  { to, down = false }: MigrationTarget,
): Migration[] {
  if (to !== undefined && !migrations.some(({ id }) => id === to))
    throw new MigrationRefusal(`There is no migration ${to}. Migrations: ${migrations.map(({ id }) => id).join(', ')}`)
  const names = new Set(history.map(({ name }) => name))
  const applied = migrations.filter(migration => names.has(recordedName(migration)))
  return down ? selectReverts(applied, to) : selectPending(migrations, applied, to)
}

function selectPending(migrations: readonly Migration[], applied: Migration[], to = Infinity): Migration[] {
  const newer = applied.filter(({ id }) => id > to).map(recordedName)
  if (newer.length > 0)
    throw new MigrationRefusal(`The database has newer migrations (${newer.join(', ')}). Use --down to revert them`)
  return migrations.filter(migration => migration.id <= to && !applied.includes(migration))
}

function selectReverts(applied: Migration[], to = applied.at(-2)?.id ?? -1): Migration[] {
  const reverts = applied.filter(({ id }) => id > to).toReversed()
  const permanent = reverts.find(({ change }) => change.kind === 'schema' && change.down === null)
  if (permanent)
    throw new MigrationRefusal(`${recordedName(permanent)} can't be reverted. Restore a backup, or drop the database`)
  return reverts
}
