import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { findOwnSlug } from '../../../data/access/access-store.ts'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import {
  type BulkCursor,
  type BulkSelection,
  countItems,
  findFacts,
  hasEntrySince,
  listOpenItems,
  lockItem,
  markBegun,
  noteUnanswered,
  pinRuns,
  saveOutcome,
} from '../../../data/runs/bulk-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import {
  type BulkCounts,
  type BulkOperationName,
  namesCancelled,
  NO_MATCH,
  buildBulkDetails,
} from '../../../domain/runs/bulk/bulk.ts'
import { createPace } from '../../../domain/runs/bulk/pace.ts'
import { AppError, isTransient, Unavailable } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { BulkRunInput } from '../../../workflows/runs/bulk-messages.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { createStatusReader } from '../status/status.ts'
import { type BulkOperation, type BulkStep, describeRefusal, type OperationDeps, TAKEN_BACK } from './operation.ts'
import { getOperation } from './operations/index.ts'

type Run = Pick<BulkRunInput, 'job' | 'operation' | 'filter' | 'options' | 'per_second' | 'reason'>

/** The stages of a bulk job. Each stage may be repeated. */
export interface BulkBatch {
  /** Lists the next runs that match the filter. Returns the last listed run, or undefined if there are no more. */
  pin(run: Run, after?: BulkCursor): Promise<BulkCursor | undefined>
  /**
   * Processes runs for a few seconds or until `signal` aborts, which is checked between runs. Throws Unavailable and
   * RateLimited. Runs processed before the error stay processed, and a retry continues after them. A run that never
   * responds is abandoned.
   */
  apply(
    principal: Principal,
    run: Run,
    options: { signal: AbortSignal },
  ): Promise<{ counts: BulkCounts; is_last: boolean }>
}

interface Deps {
  db: Database
  temporal: Temporal
  jobs: OperationDeps['jobs']
  log: Logger
}

/** Maximum number of runs that one statement lists. */
const MAX_PINNED = 5_000
/** The limits for one batch: the number of runs and the time. */
const MAX_ITEMS = 100
const BATCH_MS = 2_000
/** Number of attempts, usually half a minute apart, before an unresponsive run is abandoned. */
const MAX_UNANSWERED = 20

export function createBulkBatch({ db, temporal, jobs, log }: Deps): BulkBatch {
  const deps = { db, temporal, jobs, readStatus: createStatusReader({ db, temporal }) }

  /**
   * Decides whether to apply the operation and writes its audit entry, in one transaction. Returns false if the
   * operation does not apply.
   */
  async function begin(operation: BulkOperation, step: BulkStep, run: Run): Promise<boolean> {
    const { job } = run
    const { principal, row } = step
    return db.inWorkspace(job.workspace_id, async tx => {
      const item = await lockItem(tx, job.job_id, row.job_id)
      if (!item || item.outcome !== null) return false
      const facts = await findFacts(tx, row.job_id, createSelection(run.filter, principal.brain_ids))
      const save = (outcome: Parameters<typeof saveOutcome>[3]) => saveOutcome(tx, job.job_id, row.job_id, outcome)
      if (item.has_begun) {
        const outcome = await findOutcome(tx, operation, run, facts, row.job_id)
        if (!outcome) return true
        await save(outcome)
        return false
      }
      const obstacle = findObstacle(operation, facts, run)
      if (obstacle !== undefined) {
        await save({ outcome: 'skipped', message: obstacle })
        return false
      }
      await markBegun(tx, job.job_id, row.job_id)
      if (operation.audit) {
        const details = buildBulkDetails(job.job_id, run.reason)
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

  /** Applies the operation to a run and saves the outcome. Throws Unavailable and RateLimited. */
  async function treat(operation: BulkOperation, principal: Principal, run: Run, runId: string): Promise<void> {
    try {
      const isDone = await applyTo(operation, principal, run, runId)
      if (isDone) await save(run, runId, { outcome: 'done' })
    } catch (error) {
      if (isTransient(error)) throw error
      if (!(error instanceof AppError))
        log.error({ err: error, job_id: runId, bulk_job_id: run.job.job_id }, 'bulk step failed')
      await save(run, runId, {
        outcome: 'failed',
        ...(error instanceof AppError ? describeFailure(error) : UNEXPECTED),
      })
    }
  }

  /** Returns false for a run that already has an outcome. */
  async function applyTo(operation: BulkOperation, principal: Principal, run: Run, runId: string): Promise<boolean> {
    const { job, options, reason } = run
    const row = await db.inWorkspaceAtOnce(job.workspace_id, tx => findJob(tx, runId))
    if (!row) {
      await save(run, runId, { outcome: 'skipped', message: RUN_REMOVED })
      return false
    }
    const step = { principal, row, bulk_job_id: job.job_id, options, reason }
    // Repairs the run's row if Temporal has closed the run.
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

    async apply(requester, run, { signal }) {
      const { workspace_id, job_id } = run.job
      const operation = getOperation(run.operation as BulkOperationName)
      const until = Date.now() + BATCH_MS
      const pace = createPace(run.per_second, Date.now())
      const [open, slug] = await db.inWorkspace(workspace_id, tx =>
        Promise.all([listOpenItems(tx, job_id, MAX_ITEMS), findOwnSlug(tx, workspace_id)]),
      )
      // Runs that the operation starts are looked up by the slug.
      const principal = { ...requester, workspace_slug: slug ?? '' }
      let treated = 0
      for (const runId of open) {
        if (treated > 0 && Date.now() >= until) break
        await pause(pace.reserve(Date.now()), undefined, { signal }).catch(() => undefined)
        if (signal.aborted) break
        await treat(operation, principal, run, runId).catch(async (error: unknown) => {
          // An unresponsive run does not block the others. If a plan limit is reached, the job waits.
          if (!(error instanceof Unavailable)) throw error
          const unanswered = await db.inWorkspace(workspace_id, tx => noteUnanswered(tx, job_id, runId))
          if (unanswered < MAX_UNANSWERED) throw error
          await save(run, runId, { outcome: 'failed', ...describeFailure(error) })
        })
        treated++
      }
      const counts = await db.inWorkspace(workspace_id, tx => countItems(tx, job_id))
      return { counts, is_last: open.length < MAX_ITEMS && treated === open.length }
    },
  }
}

const describeFailure = (error: AppError) => ({ code: error.code, message: describeRefusal(error) })

const RUN_REMOVED = 'The run was removed'
const UNEXPECTED = { code: 'INTERNAL', message: 'The operation failed unexpectedly' }

/**
 * Returns the outcome of an operation that started before an interruption. Returns undefined if the operation must be
 * applied again.
 */
async function findOutcome(
  tx: Tx,
  { hasTakenEffect, contrary }: BulkOperation,
  { job }: Run,
  facts: Awaited<ReturnType<typeof findFacts>>,
  runId: string,
): Promise<Parameters<typeof saveOutcome>[3] | undefined> {
  if (facts && hasTakenEffect?.(facts)) return { outcome: 'done' }
  const isTakenBack = contrary !== undefined && (await hasEntrySince(tx, job.job_id, runId, contrary))
  return isTakenBack ? { outcome: 'skipped', message: TAKEN_BACK } : undefined
}

/** Returns the reason why the operation no longer applies to a run. */
function findObstacle(
  operation: BulkOperation,
  facts: Awaited<ReturnType<typeof findFacts>>,
  { filter, options }: Run,
): string | undefined {
  if (!facts) return RUN_REMOVED
  const obstacle = operation.findObstacle(facts, { names_cancelled: namesCancelled(filter), options })
  return obstacle ?? (facts.is_meant ? undefined : NO_MATCH)
}

const createSelection = (filter: Run['filter'], writable: string[] | null): BulkSelection => ({ filter, writable })
