import { WorkflowNotFoundError } from '@temporalio/client'
import type { Database } from '../../../data/shared/database.ts'
import { listAnsweredChildren } from '../../../data/people/interventions-store.ts'
import { type JobMigration, listMigrations } from '../../../data/runs/job-migrations-store.ts'
import { countJobs, listJobs, type JobSummary, type JobsFilter } from '../../../data/runs/jobs-store.ts'
import { Conflict, Unavailable, ValidationError } from '../../../domain/shared/errors.ts'
import { isTerminal, OPEN_STATUSES } from '../../../domain/runs/jobs.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { NOT_MOVABLE, undoMigrationUpdate } from '../../../workflows/pathways/messages.ts'
import { INVALID_INPUT } from '../../../workflows/shared/run/messages.ts'
import { checkWritable, visibleBrains } from '../../access/brains.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { getJob, getJobs } from '../find.ts'
import { findUpdateFailure, sendUpdate } from '../run-messages.ts'
import { createStatusReader } from '../status/status.ts'
import { createMigrateRun, findVersionProblem, buildMigrationAuthor } from './migrate-run.ts'
import { type MigrationTarget, openTarget } from './target.ts'
import type {
  MigrateBody,
  MigrationReport,
  MigrationUndone,
  RunMove,
  UndoBody,
  MoveOutcome,
} from '../../../contract/runs/migration.ts'
import type { MigrationAuthor } from '../../../domain/runs/run-records.ts'
import type { AskedAgain } from '../../../domain/pathways/fork/types.ts'

/** Selects the version's open runs. */
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

export interface MigrationRequest extends Omit<MigrateBody, 'filter'> {
  filter: MigrationFilter
}

/** Migrates one run to another version of its own pathway. */
export interface SingleMove {
  to_version: number
  dry_run?: boolean
  /** The bulk job that migrates the run, for the audit log. */
  bulk?: MigrationAuthor['bulk']
}

/** Migrates open runs to another version of their pathway. */
export interface Migrations {
  /**
   * Migrates the runs that match the filter one by one, or previews which runs could migrate. Throws NotFound,
   * ValidationError with pointers, and Conflict if the only named run cannot migrate.
   */
  migrate(principal: Principal, request: MigrationRequest): Promise<MigrationReport>
  /**
   * Migrates one run, or only checks it with `dry_run`. Returns the nodes at which people decide again. Throws
   * NotFound, Conflict with the problems, and Unavailable.
   */
  move(principal: Principal, row: JobSummary, request: SingleMove): Promise<AskedAgain[]>
  /**
   * Undoes a run's last migration. Throws NotFound, Forbidden and ValidationError. Throws Conflict if the run has
   * progressed since, or if `migration_id` is not the last migration.
   */
  undo(principal: Principal, jobId: string, request?: UndoBody): Promise<MigrationUndone>
}

const DEFAULT_RUNS = 50
/** Maximum number of runs that are called concurrently. */
const CONCURRENCY = 8
/** Time after which a request calls no more runs, in milliseconds. */
const MAX_CALL_MS = 20_000

interface Deps {
  db: Database
  temporal: Temporal
  evaluator: Evaluator
}

/** Migrates open runs to other versions of their pathways. */
export function createMigrations(deps: Deps): Migrations {
  const { db, temporal } = deps
  const migrateRun = createMigrateRun(deps)
  const readStatus = createStatusReader(deps)

  async function findRuns(principal: Principal, target: MigrationTarget, request: MigrationRequest) {
    const { filter, from_version: pathway_version, limit = DEFAULT_RUNS, after } = request
    const ofVersion = { kind: 'pathway' as const, pathway_id: target.pathway.id ?? '', pathway_version }
    const brain_ids = visibleBrains(principal)
    return db.inWorkspace(principal.workspace_id, async tx => {
      if (after !== undefined) await getJob(tx, principal, after)
      const named = await getJobs(tx, principal, filter.job_ids ?? [])
      const all = { ...ofVersion, statuses: [...OPEN_STATUSES], brain_ids }
      const meant = { ...all, ...filter, brain_ids }
      const isNamed = namesRuns(filter)
      const [{ rows, total }, open, matched] = await Promise.all([
        listJobs(tx, { ...meant, after_job: after, sort: 'oldest', limit, offset: 0 }),
        isNamed ? [] : countJobs(tx, all),
        countJobs(tx, meant),
      ])
      const isOfVersion = (row: JobSummary) => findVersionProblem(row, target, pathway_version) === undefined
      return {
        rows,
        // Named jobs that are not open runs of the version are reported only once.
        others: after === undefined ? named.filter(row => !isOfVersion(row)) : [],
        // Counting stops at a limit.
        total: after === undefined ? sum(matched) : total,
        needs_confirm: !isNamed && sum(open) > 0 && sum(matched) === sum(open),
      }
    })
  }

  /** Calls several runs concurrently until all have responded or the timeout elapses. */
  async function moveAll(principal: Principal, rows: JobSummary[], target: MigrationTarget, request: MigrationRequest) {
    const until = Date.now() + MAX_CALL_MS
    const moves: RunMove[] = []
    for (let i = 0; i < rows.length && Date.now() < until; i += CONCURRENCY) {
      const batch = rows.slice(i, i + CONCURRENCY)
      moves.push(...(await Promise.all(batch.map(row => migrateRun(principal, row, { ...request, target })))))
    }
    return moves
  }

  async function migrate(principal: Principal, request: MigrationRequest): Promise<MigrationReport> {
    const { from_version, to_version, filter, dry_run = false, confirm = false } = request
    const target = await openTarget(db, principal, request)
    const { rows, others, total, needs_confirm } = await findRuns(principal, target, request)
    if (needs_confirm && !confirm && !dry_run) throw confirmationError(total)
    const moves = await moveAll(principal, [...rows, ...others], target, request)
    const [only] = moves
    if (filter.job_ids?.length === 1 && only?.outcome === 'cannot_move' && !dry_run)
      throw new Conflict('The run cannot be migrated', only.problems)
    const last = moves.at(Math.min(moves.length, rows.length) - 1)?.job_id
    const isLeft = moves.length < rows.length || total > rows.length
    return {
      pathway_id: target.pathway.id ?? '',
      from_version,
      to_version,
      dry_run,
      matched: total,
      counts: countOutcomes(moves),
      runs: moves,
      ...(isLeft && last !== undefined && { next: last }),
      needs_confirm,
    }
  }

  async function move(principal: Principal, row: JobSummary, request: SingleMove) {
    const { pathway_id, pathway_version: from_version } = row
    if (pathway_id === null || from_version === null)
      throw new Conflict('The run has no version: its definition was sent inline')
    const { to_version } = request
    const target = await openTarget(db, principal, { pathway: pathway_id, from_version, to_version })
    const runMove = await migrateRun(principal, row, { ...request, from_version, target })
    if (runMove.outcome === 'cannot_move') throw new Conflict('The run cannot be migrated', runMove.problems)
    if (runMove.outcome === 'unanswered') throw new Unavailable('The run did not respond in time')
    return runMove.asked_again ?? []
  }

  async function undo(principal: Principal, jobId: string, { migration_id }: { migration_id?: string } = {}) {
    const [row, moves, answeredKeys] = await db.inWorkspace(principal.workspace_id, async tx => [
      await getJob(tx, principal, jobId),
      await listMigrations(tx, jobId),
      await listAnsweredChildren(tx, jobId),
    ])
    checkWritable(principal, row.brain_id)
    const { status } = await readStatus(row)
    if (isTerminal(status)) throw new ValidationError(`The job is ${status}: there is nothing to undo`)
    const last = moves.at(-1)
    if (migration_id !== undefined) checkMeant(moves, migration_id)
    if (!last || last.undone_at !== null) throw new Conflict('The run has no migration to undo')
    try {
      const by = buildMigrationAuthor(principal, db.requestId())
      return await sendUpdate(
        temporal,
        jobId,
        undoMigrationUpdate,
        { by, id: last.id, answered: answeredKeys },
        `undo ${last.id}`,
      )
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new ValidationError('The job has ended')
      const refusal = findUpdateFailure(error)
      if (refusal?.type === INVALID_INPUT) throw new ValidationError('The job has ended')
      if (refusal?.type !== NOT_MOVABLE) throw error
      throw new Conflict(`The migration cannot be undone: ${refusal.message}`)
    }
  }

  return { migrate, move, undo }
}

/** Throws if the given migration is not the run's last one. The message names the newer migration. */
function checkMeant(moves: JobMigration[], id: string): void {
  const last = moves.at(-1)
  if (last?.id === id) return
  if (!moves.some(move => move.id === id))
    throw new ValidationError('The run has no such migration', [
      { pointer: '/migration_id', message: 'must be a migration of this run' },
    ])
  const { from_version, to_version, actor, at } = last as JobMigration
  throw new Conflict(
    `The run has been migrated again: from version ${from_version} to ${to_version}, by ${actor} at ${at}`,
  )
}

/**
 * Returns whether the filter names runs or their parents. Such a filter never counts as selecting all runs, no matter
 * what it matches.
 */
const namesRuns = (filter: MigrationRequest['filter']): boolean =>
  (['job_ids', 'requester', 'trigger_id', 'receptor_id', 'trace_id'] as const).some(name => filter[name] !== undefined)

const confirmationError = (count: number): ValidationError =>
  new ValidationError('The filter selects every open run of the version', [
    { pointer: '/confirm', message: `must be true to migrate all ${count} runs` },
  ])

const sum = (counted: { count: number }[]): number => counted.reduce((total, { count }) => total + count, 0)

const countOutcomes = (moves: RunMove[]): Record<MoveOutcome, number> => {
  const count = (outcome: MoveOutcome) => moves.filter(move => move.outcome === outcome).length
  return {
    can_move: count('can_move'),
    moved: count('moved'),
    cannot_move: count('cannot_move'),
    unanswered: count('unanswered'),
  }
}
