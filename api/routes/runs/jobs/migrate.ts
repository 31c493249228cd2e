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

/** The request as the service takes it. */
export const toMigrationRequest = ({
  filter: { status: statuses, ...rest },
  ...request
}: MigrateBody): MigrationRequest => ({
  ...request,
  filter: { ...rest, ...(statuses && { statuses }) },
})

/** Moves of open runs to another version of their pathway. */
export function migrationRoutes(jobs: Pick<JobsService, 'migrations'>): Route[] {
  const migrate = defineRoute({
    name: 'jobs.migrate',
    method: 'post',
    path: '/v1/jobs/migrate',
    summary: 'Move waiting and paused runs to another version of their pathway',
    description:
      'A run can move where a new run of the other version with the same answers would be where it is now: the nodes that it has reached are the same, ' +
      'open interventions are asked as before, and nothing else would have begun. Each run moves by itself, between two steps, or stays as it is. ' +
      'Whoever migrates a run, and the authors of the new version, become people behind the run: an approval with `exclude_requester` excludes them. ' +
      'A repeat of the call moves no run twice. With one id in `job_ids`, a run that cannot move gives 409.',
    tag: 'Jobs',
    access: allowWriters('jobs:control'),
    body: migrateBody,
    responses: {
      200: { description: 'What became of each run, or would', schema: migrationReport },
      404: { description: 'The pathway or a run that is named does not exist', schema: errorBody },
      409: { description: 'The only run that is named cannot move; `details` says why', schema: errorBody },
    },
    handler: async ({ principal, body }) => ok(await jobs.migrations.migrate(principal, toMigrationRequest(body))),
  })

  const undo = defineRoute({
    name: 'jobs.undoMigration',
    method: 'post',
    path: '/v1/jobs/:jobId/migration/undo',
    summary: 'Move a run back to the version before its last move',
    description:
      'Possible until the next step of the run. With `migration_id`, a newer move is not undone: 409 names it.',
    tag: 'Jobs',
    access: allowWriters('jobs:control'),
    params: jobParams,
    body: undoBody,
    responses: {
      200: { description: 'The run follows its former version', schema: migrationUndone },
      409: { description: 'The run has not moved, has moved again, or has gone on since', schema: errorBody },
    },
    handler: async ({ principal, params, body }) => ok(await jobs.migrations.undo(principal, params.jobId, body)),
  })

  return [migrate, undo]
}
