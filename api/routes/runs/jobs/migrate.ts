import { z } from 'zod'
import { JOB_STATUSES, OPEN_STATUSES } from '../../../../domain/runs/jobs.ts'
import type { MigrationReport, MigrationRequest } from '../../../../services/runs/migrations/types.ts'
import type { JobsService } from '../../../../services/runs/types.ts'
import { allowWriters } from '../../../routing/access.ts'
import { ok } from '../../../routing/reply.ts'
import { defineRoute } from '../../../routing/route.ts'
import type { Route } from '../../../routing/route.ts'
import { errorBody } from '../../../../contract/shared/error.ts'
import { line } from '../../../../contract/shared/text.ts'
import { timestamp } from '../../../../contract/shared/time.ts'
import { askedAgain } from './job-view.ts'
import { countQuery, jobParams } from './schemas.ts'

/** Runs that one call looks at, at most. */
const MAX_RUNS = 100
const version = z.int().min(1).max(2_147_483_647)
const jobId = line(300)

const filter = countQuery
  .omit({ kind: true, pathway_id: true, pathway: true, neuron_id: true, error_code: true })
  .extend({
    job_ids: z.array(jobId).min(1).max(MAX_RUNS).optional(),
    status: z.array(z.enum(OPEN_STATUSES)).min(1).max(OPEN_STATUSES.length).optional(),
    child_runs: z.boolean().optional().meta({ description: 'false: without the runs that other runs have started' }),
  })
  .strict()
  .meta({ description: 'The filters of `GET /v1/jobs`, or the ids of runs' })

export const migrateBody = z.strictObject({
  pathway: line().meta({ description: 'Id or slug of the pathway' }),
  from_version: version,
  to_version: version,
  filter,
  dry_run: z.boolean().optional().meta({ description: 'true: tells of each run whether it can move, and moves none' }),
  confirm: z
    .boolean()
    .optional()
    .meta({ description: 'true: needed for a filter that leaves out no open run of the version' }),
  revisions: z
    .record(jobId, z.int().min(0))
    .optional()
    .meta({ description: 'The revisions of a dry run, by job id: a run that has gone on since is not moved' }),
  limit: z.int().min(1).max(MAX_RUNS).optional().meta({ description: 'Runs that the call looks at. By default 50' }),
  after: jobId.optional().meta({ description: '`next` of the call before' }),
})

const problem = z.object({
  pointer: z.string().meta({ description: 'Into the new version of the pathway; empty for the run itself' }),
  message: z.string(),
  node_key: z.string().optional(),
})

const counted = (description: string) => z.int().meta({ description })

export const migrationReport = z
  .object({
    pathway_id: z.string(),
    from_version: z.int(),
    to_version: z.int(),
    dry_run: z.boolean(),
    matched: counted('Open runs of the version that match the filter, from `after` on'),
    counts: z.object({
      can_move: counted('Runs that a dry run would move'),
      moved: z.int(),
      cannot_move: z.int(),
      unanswered: counted('Runs that did not answer in time. Repeat the call: none moves twice'),
    }),
    runs: z
      .array(
        z.object({
          job_id: z.string(),
          title: z.string(),
          status: z.enum(JOB_STATUSES),
          outcome: z.enum(['can_move', 'moved', 'cannot_move', 'unanswered']),
          revision: counted('Grows with every step of the run').optional(),
          problems: z.array(problem).optional().meta({ description: 'Why it cannot move, at most 50' }),
          asked_again: z.array(askedAgain).optional().meta({
            description: 'Decisions that do not hold for the version, at most 1,000: people decide again',
          }),
        }),
      )
      .meta({ description: 'The runs that this call has looked at, the oldest first' }),
    next: z.string().optional().meta({ description: 'Present while runs are left: `after` of the next call' }),
    needs_confirm: z.boolean(),
  })
  .meta({ id: 'MigrationReport' }) satisfies z.ZodType<MigrationReport>

const undoBody = z.strictObject({
  migration_id: z.uuid().optional().meta({ description: 'The move that is meant; the last one if absent' }),
})

const migrationUndone = z
  .object({
    job_id: z.string(),
    from_version: z.int().nullable(),
    to_version: z.int().nullable().meta({ description: 'The version that the run follows again' }),
    at: timestamp,
  })
  .meta({ id: 'MigrationUndone' })

/** The request as the service takes it. */
export const toMigrationRequest = ({
  filter: { status: statuses, ...rest },
  ...request
}: z.output<typeof migrateBody>): MigrationRequest => ({
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
