import { type Command, InvalidArgumentError } from 'commander'
import { readDatabaseConfig } from '../../config/config.ts'
import { readEnvironment } from '../../config/environment.ts'
import { type Migration, MigrationRefusal, recordedName, renderSql } from '../../migrations/migration.ts'
import { migrate, type MigrationPlan, type MigrationRun, planMigrations } from '../../migrations/runner.ts'
import { type Output, say } from './output.ts'

/** Exit code for a request that a retry can't fulfill. */
const REFUSED = 2
/** Longer SQL is printed only as JSON. */
const MAX_SQL_LINES = 40

interface MigrateOptions extends Output {
  plan?: true
  down?: true
  yes?: true
  to?: number
  lockWait: number
}

/** Adds the command for migrations. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Create or migrate the database as the role in DATABASE_ADMIN_URL; safe to run several times at once')
    .option('--plan', 'print the migrations that would run; changes nothing')
    .option('--to <id>', 'last migration that the database has afterwards', parseNumber)
    .option('--down', 'revert the last migration, or with --to all later ones')
    .option('--yes', 'confirm --down')
    .option('--lock-wait <seconds>', 'how long to retry while other transactions hold a lock', parseNumber, 300)
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed and can be retried, 2 refused')
    .action((options: MigrateOptions) =>
      runMigrate(options).catch((error: unknown) => {
        if (!(error instanceof MigrationRefusal)) throw error
        console.error(error.message)
        process.exitCode = REFUSED
      }),
    )
}

async function runMigrate({ plan: isPlan, yes, lockWait, json, to, down }: MigrateOptions): Promise<void> {
  const { DATABASE_ADMIN_URL: adminUrl, DATABASE_URL: appUrl } = readDatabaseConfig(readEnvironment())
  if (!adminUrl) throw new MigrationRefusal('Set DATABASE_ADMIN_URL: migrations run as the owner of the tables')
  const target = { ...(to !== undefined && { to }), ...(down && { down }) }
  if (isPlan || (down && !yes)) {
    const plan = await planMigrations(adminUrl, target)
    say(json, toJson(plan, down), describePlan(plan, down))
    if (!isPlan && plan.steps.length > 0) throw new MigrationRefusal('Add --yes to revert. Nothing was changed')
    return
  }
  const log = (message: string) => console.error(message)
  const run = await migrate(adminUrl, appUrl, { ...target, lockSeconds: lockWait, log })
  say(json, run, describeRun(run))
}

function describeRun({ applied, reverted }: MigrationRun): string {
  if (reverted.length > 0) return `Reverted: ${reverted.join(', ')}`
  return applied.length > 0 ? `Migrated: ${applied.join(', ')}` : 'The database is up to date'
}

const toJson = ({ database, applied, steps }: MigrationPlan, down = false) => ({
  database,
  applied,
  [down ? 'revert' : 'pending']: steps.map(step => ({
    id: step.id,
    name: recordedName(step),
    kind: step.change.kind,
    oldest_version: step.oldestVersion,
    ...(down && { loses: listLoss(step) }),
    sql: renderSql(step, down ? 'down' : 'up'),
  })),
})

function describePlan({ database, applied, steps }: MigrationPlan, down = false): string {
  const last = applied.at(-1)
  const state = last ? `The database ${database} is at ${last}.` : `The database ${database} has no tables yet.`
  const count = `${steps.length} ${steps.length === 1 ? 'migration' : 'migrations'} to ${down ? 'revert' : 'apply'}`
  return [`${state} ${count}.`, ...steps.map(step => (down ? describeRevert(step) : describeStep(step)))].join('\n\n')
}

const KINDS: Record<Migration['change']['kind'], string> = {
  schema: 'one transaction',
  index: 'index, built while the table is in use',
  rows: 'rows, changed in batches',
}

function describeStep(step: Migration): string {
  const { id, change, oldestVersion } = step
  return [
    `${recordedName(step)} (${new Date(id).toISOString().slice(0, 10)}; ${KINDS[change.kind]})`,
    `  Versions from ${oldestVersion} on can serve during and after it.`,
    indentSql(renderSql(step, 'up')),
  ].join('\n')
}

function describeRevert(step: Migration): string {
  const loss = listLoss(step)
  return [
    recordedName(step),
    `  ${loss ? `Deletes: ${loss}.` : 'Deletes no data.'} First stop the version that added it.`,
    indentSql(renderSql(step, 'down')),
  ].join('\n')
}

const listLoss = ({ change }: Migration): string | null => (change.kind === 'schema' && change.loses) || null

function indentSql(sql: string): string {
  const lines = sql.trim().split('\n')
  if (sql.trim() === '') return '  No statements.'
  if (lines.length > MAX_SQL_LINES) return `  ${lines.length} lines of SQL; --json prints them.`
  return lines.map(line => `  ${line}`).join('\n')
}

function parseNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Enter a number.')
  return Number(text)
}
