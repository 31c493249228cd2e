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

/** A move of a run, as its record shows it. Times are ISO 8601. */
export type MigrationView = z.output<typeof migrationView>

/** Runs that one call looks at, at most. */
const MAX_RUNS = 100

const version = z.int().min(1).max(2_147_483_647)

const jobId = line(300)

const filter = jobCountsQuery
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

export type MigrateBody = z.output<typeof migrateBody>

const problem = z.object({
  pointer: z.string().meta({ description: 'Into the new version of the pathway; empty for the run itself' }),
  message: z.string(),
  node_key: z.string().optional(),
})

const counted = (description: string) => z.int().meta({ description })

const runMove = z.object({
  job_id: z.string(),
  title: z.string(),
  status: z.enum(JOB_STATUSES),
  /** `unanswered`: the run did not answer in time. Where it was to move, it may still do so. */
  outcome: z.enum(['can_move', 'moved', 'cannot_move', 'unanswered']),
  /** Absent where the run was not asked. */
  revision: counted('Grows with every step of the run').optional(),
  problems: z.array(problem).optional().meta({ description: 'Why it cannot move, at most 50' }),
  asked_again: z.array(askedAgain).optional().meta({
    description: 'Decisions that do not hold for the version, at most 1,000: people decide again',
  }),
})

/** What became of one run, or would. */
export type RunMove = z.output<typeof runMove>
export type MoveOutcome = RunMove['outcome']

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
    runs: z.array(runMove).meta({ description: 'The runs that this call has looked at, the oldest first' }),
    next: z.string().optional().meta({ description: 'Present while runs are left: `after` of the next call' }),
    /** Whether the filter leaves out no open run of the version, so that a move needs `confirm`. */
    needs_confirm: z.boolean(),
  })
  .meta({ id: 'MigrationReport' })
export type MigrationReport = z.output<typeof migrationReport>

export const undoBody = z.strictObject({
  migration_id: z.uuid().optional().meta({ description: 'The move that is meant; the last one if absent' }),
})

export type UndoBody = z.output<typeof undoBody>

export const migrationUndone = z
  .object({
    job_id: z.string(),
    from_version: z.int().nullable(),
    to_version: z.int().nullable().meta({ description: 'The version that the run follows again' }),
    at: timestamp,
  })
  .meta({ id: 'MigrationUndone' })
export type MigrationUndone = z.output<typeof migrationUndone>
