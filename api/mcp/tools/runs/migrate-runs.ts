import { z } from 'zod'
import { migrateBody, migrationReport, toMigrationRequest } from '../../../routes/jobs/migrate.ts'
import { defineTool, READS, REPLACES } from '../../tool.ts'

/** Without the name that the API gives it: schemas of tools have no references. */
const output = z.object(migrationReport.shape)
const { pathway, from_version, to_version, filter, revisions, limit, after } = migrateBody.shape

export const previewMigration = defineTool({
  name: 'preview_migration',
  title: 'Tell which runs can move to another version',
  description:
    'Tells of each open run of a version of a pathway whether it can move to another version, and why not. Changes nothing.',
  route: 'jobs.migrate',
  hints: READS,
  input: z.strictObject({ pathway, from_version, to_version, filter, limit, after }),
  output,
  call: ({ jobs }, { principal }, args) =>
    jobs.migrations.migrate(principal, toMigrationRequest({ ...args, dry_run: true })),
})

/** A filter that leaves out no run needs a confirmation that a model cannot give. */
export const migrateRuns = defineTool({
  name: 'migrate_runs',
  title: 'Move runs to another version',
  description:
    'Moves waiting and paused runs to another version of their pathway. Show the user the outcome of preview_migration first, and pass its revisions. It takes no filter that leaves out no run: name the runs in job_ids.',
  route: 'jobs.migrate',
  hints: { ...REPLACES, idempotentHint: true },
  input: z.strictObject({ pathway, from_version, to_version, filter, revisions, limit, after }),
  output,
  call: ({ jobs }, { principal }, args) => jobs.migrations.migrate(principal, toMigrationRequest(args)),
})
