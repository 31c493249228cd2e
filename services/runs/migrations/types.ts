import type { JobsFilter, JobSummary } from '../../../data/runs/jobs-store.ts'
import type { JobStatus } from '../../../domain/runs/jobs.ts'
import type { AskedAgain } from '../../../domain/pathways/fork/types.ts'
import type { MigrationProblem } from '../../../domain/pathways/migration/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { MigrationAuthor } from '../../../domain/runs/run-records.ts'
import type { MigrationReply } from '../../../workflows/pathway/messages.ts'

/** Which open runs of the version are meant. */
export type MigrationFilter = Pick<
  JobsFilter,
  | 'job_ids'
  | 'statuses'
  | 'requester'
  | 'started_by'
  | 'trigger_id'
  | 'receptor_id'
  | 'trace_id'
  | 'title'
  | 'text'
  | 'child_runs'
  | 'created_after'
  | 'created_before'
>

export interface MigrationRequest {
  /** Id or slug of the pathway. */
  pathway: string
  from_version: number
  to_version: number
  filter: MigrationFilter
  /** Required for a filter that leaves out no open run of the version. */
  confirm?: boolean
  dry_run?: boolean
  /** The revisions that a dry run has shown, by job id. A run that has gone on since is not moved. */
  revisions?: Record<string, number>
  /** Runs that one call looks at, at most. */
  limit?: number
  /** The last run of the call before. */
  after?: string
}

/** The move of one run to another version of its own pathway. */
export interface SingleMove {
  to_version: number
  dry_run?: boolean
  /** The bulk job that moves it, for the audit log. */
  bulk?: MigrationAuthor['bulk']
}

/** `unanswered`: the run did not answer in time. Where it was to move, it may still do so. */
export type MoveOutcome = 'can_move' | 'moved' | 'cannot_move' | 'unanswered'

/** What became of one run, or would. */
export interface RunMove {
  job_id: string
  title: string
  status: JobStatus
  outcome: MoveOutcome
  /** Grows with every step of the run. Absent where the run was not asked. */
  revision?: number
  /** Why it cannot move. Pointers lead into the new version of the pathway; '' is the run itself. */
  problems?: MigrationProblem[]
  /** Nodes in which people decide again, of a run that can move or has moved. */
  asked_again?: AskedAgain[]
}

export interface MigrationReport {
  pathway_id: string
  from_version: number
  to_version: number
  dry_run: boolean
  /** Open runs of the version that match the filter, from `after` on. */
  matched: number
  counts: Record<MoveOutcome, number>
  /** The runs that this call has looked at, the oldest first. */
  runs: RunMove[]
  /** Present while runs are left: the next call takes it as `after`. */
  next?: string
  /** Whether the filter leaves out no open run of the version, so that a move needs `confirm`. */
  needs_confirm: boolean
}

/** A move of a run, as its record shows it. Times are ISO 8601. */
export interface MigrationView {
  id: string
  from_version: number
  to_version: number
  by: string
  at: string
  undone_by?: string
  undone_at?: string
}

/** Moves open runs to another version of their pathway. */
export interface Migrations {
  /**
   * Moves the runs of a filter one by one, or tells which of them could move. Throws NotFound, ValidationError with
   * pointers, and Conflict when the only run that is named cannot move.
   */
  migrate(principal: Principal, request: MigrationRequest): Promise<MigrationReport>
  /**
   * Moves one run, or with `dry_run` only checks it, and returns the nodes in which people decide again. Throws NotFound,
   * Conflict with the problems, and Unavailable.
   */
  move(principal: Principal, row: JobSummary, request: SingleMove): Promise<AskedAgain[]>
  /**
   * Takes the last move of a run back. Throws NotFound, Forbidden, ValidationError, and Conflict once the run has gone on, and
   * where `migration_id` is not the last move.
   */
  undo(principal: Principal, jobId: string, request?: { migration_id?: string }): Promise<MigrationReply>
}
