import type { MigrationRequest } from '../../../../services/runs/migrations/migrations.ts'
import type { JobsService } from '../../../../services/runs/jobs.ts'
import { allowWriters } from '../../../routing/access.ts'
import { ok } from '../../../routing/reply.ts'
import { defineRoute, type Route } from '../../../routing/route.ts'
import { errorBody } from '../../../../contract/shared/error.ts'
import { jobParams } from '../../../../contract/runs/control.ts'
import {
  type MigrateBody,
  migrateBody,
  migrationReport,
  migrationUndone,
  undoBody,
} from '../../../../contract/runs/migration.ts'

/** Converts the body to the service's request. */
export const toMigrationRequest = ({
  filter: { status: statuses, ...rest },
  ...request
}: MigrateBody): MigrationRequest => ({
  ...request,
  filter: { ...rest, ...(statuses && { statuses }) },
})

/** Routes that move open runs to another version of their pathway. */
export function migrationRoutes(jobs: Pick<JobsService, 'migrations'>): Route[] {
  const migrate = defineRoute({
    name: 'jobs.migrate',
    method: 'post',
    path: '/v1/jobs/migrate',
    summary: 'Migrate runs to another version',
    description:
      'Moves waiting and paused runs to another version of their pathway. A run can move if the other ' +
      'version would have brought it to the same state. In that version, it must have reached the same ' +
      'nodes and opened the same interventions, and no other node would have started. Each run moves ' +
      'separately between two steps, or does not change. The person who migrates a run and the authors of ' +
      'the new version count as involved: an approval with `exclude_requester` excludes them. Repeating ' +
      'the call moves no run twice. With a single id in `job_ids`, a run that cannot move returns 409.',
    tag: 'Jobs',
    access: allowWriters('jobs:control'),
    body: migrateBody,
    responses: {
      200: { description: 'Outcome for each run, or a preview of the outcomes', schema: migrationReport },
      404: { description: 'The pathway or a named run does not exist', schema: errorBody },
      409: { description: 'The only named run cannot move. `details` contains the reasons.', schema: errorBody },
    },
    handler: async ({ principal, body }) => ok(await jobs.migrations.migrate(principal, toMigrationRequest(body))),
  })

  const undo = defineRoute({
    name: 'jobs.undoMigration',
    method: 'post',
    path: '/v1/jobs/:jobId/migration/undo',
    summary: 'Undo a migration',
    description:
      'Moves a run back to the version it used before its last move. This is possible until the run takes its next step. If `migration_id` is not the last move, the request returns 409 and names the last move.',
    tag: 'Jobs',
    access: allowWriters('jobs:control'),
    params: jobParams,
    body: undoBody,
    responses: {
      200: { description: 'The run uses its previous version again', schema: migrationUndone },
      409: { description: 'The run was never moved, has moved again, or has progressed since', schema: errorBody },
    },
    handler: async ({ principal, params, body }) => ok(await jobs.migrations.undo(principal, params.jobId, body)),
  })

  return [migrate, undo]
}
