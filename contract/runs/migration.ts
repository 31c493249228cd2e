import { z } from 'zod'
import { OPEN_STATUSES, JOB_STATUSES } from '../../domain/runs/jobs.ts'
import { jobCountsQuery } from './filter.ts'
import { askedAgain } from './fork.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

export const migrationView = z
  .object({
    id: z.string(),
    from_version: z.int(),
    to_version: z.int(),
    by: z.string(),
    at: timestamp,
    undone_by: z.string().optional(),
    undone_at: timestamp.optional(),
  })
  .meta({ id: 'Migration' })

/** A migration of a run to another pathway version. Times are ISO 8601. */
export type MigrationView = z.output<typeof migrationView>

/** Maximum number of runs per call. */
const MAX_RUNS = 100

const version = z.int().min(1).max(2_147_483_647)

const jobId = line(300)

const filter = jobCountsQuery
  .omit({ kind: true, pathway_id: true, pathway: true, neuron_id: true, error_code: true })
  .extend({
    job_ids: z.array(jobId).min(1).max(MAX_RUNS).optional(),
    status: z.array(z.enum(OPEN_STATUSES)).min(1).max(OPEN_STATUSES.length).optional(),
    child_runs: z.boolean().optional().meta({ description: 'false: excludes child runs' }),
  })
  .strict()
  .meta({ description: 'The filters of `GET /v1/jobs`, or run ids' })

export const migrateBody = z.strictObject({
  pathway: line().meta({ description: 'Id or slug of the pathway' }),
  from_version: version,
  to_version: version,
  filter,
  dry_run: z.boolean().optional().meta({ description: 'true: checks whether each run can move, without moving any' }),
  confirm: z
    .boolean()
    .optional()
    .meta({ description: 'true: confirms a filter that matches every open run on the version' }),
  revisions: z.record(jobId, z.int().min(0)).optional().meta({
    description: 'Revisions from a dry run, by job id. A run that has progressed since the dry run is not moved.',
  }),
  limit: z
    .int()
    .min(1)
    .max(MAX_RUNS)
    .optional()
    .meta({ description: 'Maximum number of runs in this call. Default: 50.' }),
  after: jobId.optional().meta({ description: 'The value of `next` in the previous response' }),
})

export type MigrateBody = z.output<typeof migrateBody>

const problem = z.object({
  pointer: z.string().meta({
    description: 'JSON pointer into the new version of the pathway. Empty for a problem of the run as a whole.',
  }),
  message: z.string(),
  node_key: z.string().optional(),
})

const counted = (description: string) => z.int().meta({ description })

const runMove = z.object({
  job_id: z.string(),
  title: z.string(),
  status: z.enum(JOB_STATUSES),
  /** `unanswered`: the run did not respond in time. A requested move may still take effect. */
  outcome: z.enum(['can_move', 'moved', 'cannot_move', 'unanswered']),
  /** Absent if the run could not be queried. */
  revision: counted('Increases with each step of the run').optional(),
  problems: z.array(problem).optional().meta({ description: 'Why the run cannot move, at most 50 problems' }),
  asked_again: z.array(askedAgain).optional().meta({
    description: 'Decisions that people must make again in the new version, at most 1,000',
  }),
})

/** The outcome of one move, or its preview. */
export type RunMove = z.output<typeof runMove>
export type MoveOutcome = RunMove['outcome']

export const migrationReport = z
  .object({
    pathway_id: z.string(),
    from_version: z.int(),
    to_version: z.int(),
    dry_run: z.boolean(),
    matched: counted('Number of open runs on the version that match the filter, starting from `after`'),
    counts: z.object({
      can_move: counted('Number of runs that can move, in a dry run'),
      moved: z.int(),
      cannot_move: z.int(),
      unanswered: counted('Number of runs that did not respond in time. Repeat the call; no run moves twice.'),
    }),
    runs: z.array(runMove).meta({ description: 'Runs in this call, oldest first' }),
    next: z
      .string()
      .optional()
      .meta({ description: 'Value for `after` in the next call. Absent if no runs are left.' }),
    /** The filter matches every open run on the version, so a move requires `confirm`. */
    needs_confirm: z.boolean(),
  })
  .meta({ id: 'MigrationReport' })
export type MigrationReport = z.output<typeof migrationReport>

export const undoBody = z.strictObject({
  migration_id: z.uuid().optional().meta({ description: 'Move to undo. Default: the latest move.' }),
})

export type UndoBody = z.output<typeof undoBody>

export const migrationUndone = z
  .object({
    job_id: z.string(),
    from_version: z.int().nullable(),
    to_version: z.int().nullable().meta({ description: 'Version that the run uses after the undo' }),
    at: timestamp,
  })
  .meta({ id: 'MigrationUndone' })
export type MigrationUndone = z.output<typeof migrationUndone>
