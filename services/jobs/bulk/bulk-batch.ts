import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { writeAudit } from '../../../data/audit-store.ts'
import {
  type BulkCursor,
  type BulkSelection,
  countItems,
  findFacts,
  listOpenItems,
  lockItem,
  markBegun,
  pinRuns,
  saveOutcome,
} from '../../../data/bulk-store.ts'
import type { Database, Tx } from '../../../data/database.ts'
import { findJob } from '../../../data/jobs-store.ts'
import { type BulkCounts, NO_MATCH, toBulkDetails } from '../../../domain/bulk/bulk.ts'
import { createPace } from '../../../domain/bulk/pace.ts'
import { AppError, isTransient, Unavailable } from '../../../domain/errors.ts'
import type { JobRecord } from '../../../domain/jobs.ts'
import type { Principal } from '../../../domain/principal.ts'
import type { BulkRunInput } from '../../../workflows/bulk/messages.ts'
import type { Temporal } from '../../temporal.ts'
import { createStatusReader } from '../status.ts'
import type { BulkOperation, BulkStep, OperationDeps } from './operation.ts'
import { type BulkOperationName, getOperation } from './operations/index.ts'

type Run = Pick<BulkRunInput, 'job' | 'operation' | 'filter' | 'options' | 'per_second' | 'reason'>

/** The parts of a bulk job's work. Each may be repeated. */
export interface BulkBatch {
  /** Lists the next runs of the filter. Returns the last; undefined when there are no more. */
  pin(run: Run, after?: BulkCursor): Promise<BulkCursor | undefined>
  /**
   * Treats the next runs for some seconds, or until `signal` aborts, which is seen between two runs. Throws Unavailable and
   * RateLimited: the runs before are treated, and a repetition goes on. In a late attempt, the first run is given up.
   */
  apply(
    principal: Principal,
    run: Run,
    attempt: { signal: AbortSignal; attempt: number },
  ): Promise<{ counts: BulkCounts; is_last: boolean }>
}

interface Deps {
  db: Database
  temporal: Temporal
  jobs: OperationDeps['jobs']
  log: Logger
}

/** Runs that one statement lists. */
const MAX_PINNED = 5_000
/** Runs and time of one batch. */
const MAX_ITEMS = 100
const BATCH_MS = 2_000
/** Attempts at a batch, half a minute apart, after which a run that does not answer is given up. */
const MAX_ATTEMPTS = 20

export function createBulkBatch({ db, temporal, jobs, log }: Deps): BulkBatch {
  const deps = { db, temporal, jobs, readStatus: createStatusReader({ db, temporal }) }

  /** Decides in one transaction whether the operation is applied, and writes its audit entry. Returns false if not. */
  async function begin(operation: BulkOperation, step: BulkStep, run: Run): Promise<boolean> {
    const { job } = run
    const { principal, row } = step
    return db.inWorkspace(job.workspace_id, async tx => {
      const item = await lockItem(tx, job.job_id, row.job_id)
      if (!item || item.outcome !== null) return false
      if (item.has_begun) return true
      const obstacle = await findObstacle(tx, operation, principal, row, run)
      if (obstacle !== undefined) {
        await saveOutcome(tx, job.job_id, row.job_id, { outcome: 'skipped', message: obstacle })
        return false
      }
      await markBegun(tx, job.job_id, row.job_id)
      if (operation.audit) {
        const details = toBulkDetails(job.job_id, run.reason)
        await writeAudit(tx, principal, {
          action: operation.audit,
          target: row.job_id,
          brain_id: row.brain_id,
          details,
        })
      }
      await operation.begin?.(tx, step)
      return true
    })
  }

  async function findObstacle(
    tx: Tx,
    operation: BulkOperation,
    { brain_ids }: Principal,
    { job_id }: JobRecord,
    { filter, options }: Run,
  ): Promise<string | undefined> {
    const facts = await findFacts(tx, job_id, toSelection(filter, brain_ids))
    if (!facts) return GONE
    return (
      operation.findObstacle(facts, { error_code: filter.error_code, options }) ??
      (facts.is_meant ? undefined : NO_MATCH)
    )
  }

  /** Applies the operation to a run, and saves what became of it. Throws Unavailable and RateLimited. */
  async function treat(operation: BulkOperation, principal: Principal, run: Run, runId: string): Promise<void> {
    try {
      const isDone = await applyTo(operation, principal, run, runId)
      if (isDone) await save(run, runId, { outcome: 'done' })
    } catch (error) {
      if (isTransient(error)) throw error
      if (!(error instanceof AppError))
        log.error({ err: error, job_id: runId, bulk_job_id: run.job.job_id }, 'bulk step failed')
      const { code, message } = error instanceof AppError ? error : UNEXPECTED
      await save(run, runId, { outcome: 'failed', code, message })
    }
  }

  /** Returns false for a run that has its outcome already. */
  async function applyTo(operation: BulkOperation, principal: Principal, run: Run, runId: string): Promise<boolean> {
    const { job, options, reason } = run
    const row = await db.inWorkspace(job.workspace_id, tx => findJob(tx, runId))
    if (!row) {
      await save(run, runId, { outcome: 'skipped', message: GONE })
      return false
    }
    const step = { principal, row, bulk_job_id: job.job_id, options, reason }
    // Repairs the row of a run that Temporal has closed.
    await deps.readStatus(row)
    if (!(await begin(operation, step, run))) return false
    await operation.apply(deps, step)
    return true
  }

  const save = ({ job }: Run, runId: string, outcome: Parameters<typeof saveOutcome>[3]): Promise<void> =>
    db.inWorkspace(job.workspace_id, tx => saveOutcome(tx, job.job_id, runId, outcome))

  return {
    pin: ({ job, filter }, after) =>
      db.inWorkspace(job.workspace_id, tx => pinRuns(tx, job.job_id, filter, { after, limit: MAX_PINNED })),

    async apply(principal, run, { signal, attempt }) {
      const { workspace_id, job_id } = run.job
      const operation = getOperation(run.operation as BulkOperationName)
      const until = Date.now() + BATCH_MS
      const pace = createPace(run.per_second, Date.now())
      const open = await db.inWorkspace(workspace_id, tx => listOpenItems(tx, job_id, MAX_ITEMS))
      let treated = 0
      for (const runId of open) {
        if (treated > 0 && Date.now() >= until) break
        await pause(pace.reserve(Date.now()), undefined, { signal }).catch(() => undefined)
        if (signal.aborted) break
        await treat(operation, principal, run, runId).catch(async (error: unknown) => {
          // One run that never answers does not keep the others from their turn. A limit of the plan is waited for.
          const isGivenUp = treated === 0 && attempt >= MAX_ATTEMPTS && error instanceof Unavailable
          if (!isGivenUp) throw error
          await save(run, runId, { outcome: 'failed', code: error.code, message: error.message })
        })
        treated++
      }
      const counts = await db.inWorkspace(workspace_id, tx => countItems(tx, job_id))
      return { counts, is_last: open.length < MAX_ITEMS && treated === open.length }
    },
  }
}

const GONE = 'It was removed'
const UNEXPECTED = { code: 'INTERNAL', message: 'The operation failed unexpectedly' }

const toSelection = (filter: Run['filter'], writable: string[] | null): BulkSelection => ({ filter, writable })
