import type { Logger } from 'pino'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { RecordInput } from '../../domain/runs/run-records.ts'
import type { NodeCompletion, Projections } from '../../services/runs/projections.ts'

/** Writes activity milestones in the background. A failed write does not fail the activity. */
export interface ProjectionWriter {
  recordStart(update: RecordInput): void
  /** Resolves when the end has been written, or after `maxWaitMs`. */
  recordFinish(completion: NodeCompletion): Promise<void>
  /**
   * Removes a job's updates whose write has not started, so that the caller can write them with its own update. After a
   * failure, the caller adds them again.
   */
  take(jobId: string): RecordInput | undefined
  /** Returns the number of jobs with unwritten changes. */
  countPending(): number
  /** Resolves when all changes have been written, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
}

interface PendingWrite {
  record: RecordInput
  completions: NodeCompletion[]
  deferred: PromiseWithResolvers<void>
}

interface Settings {
  /**
   * Time during which updates are collected for one statement. The updates of a job, and of all jobs in a workspace,
   * are written together.
   */
  batchMs?: number
  /** Retry interval while Postgres is unavailable. */
  retryMs?: number
  /** Maximum time that an activity waits for its own write. */
  maxWaitMs?: number
  /** Maximum number of jobs with pending writes. For any other job, the record at the end of the run is sufficient. */
  maxPendingJobs?: number
}

type Deps = {
  projections: Pick<Projections, 'applyNodeStart' | 'applyNodeStarts' | 'applyNodeCompletion'>
  log: Logger
}

const NONE: ReadonlySet<string> = new Set()

export function createProjectionWriter({ projections, log }: Deps, settings: Settings = {}): ProjectionWriter {
  const { batchMs = 50, retryMs = 1_000, maxWaitMs = 2_000, maxPendingJobs = 5_000 } = settings
  const waiting = new Map<string, PendingWrite>()
  const writing = new Set<Promise<void>>()
  /** Pending writes by workspace and delay. They are written when the delay has elapsed. */
  const batches = new Map<string, PendingWrite[]>()

  function getOrCreatePending(job: RecordInput['job'], afterMs = batchMs): PendingWrite {
    const existing = waiting.get(job.job_id)
    if (existing) return existing
    const pending: PendingWrite = {
      record: { job, nodes: [], interventions: [] },
      completions: [],
      deferred: Promise.withResolvers<void>(),
    }
    waiting.set(job.job_id, pending)
    addToBatch(pending, afterMs)
    return pending
  }

  function addToBatch(pending: PendingWrite, afterMs: number): void {
    const key = `${pending.record.job.workspace_id} ${afterMs}`
    const batch = batches.get(key)
    if (batch) return void batch.push(pending)
    const created = [pending]
    batches.set(key, created)
    setTimeout(() => {
      batches.delete(key)
      start(created.filter(each => waiting.get(each.record.job.job_id) === each))
    }, afterMs)
  }

  function start(batch: PendingWrite[]): void {
    for (const { record } of batch) waiting.delete(record.job.job_id)
    const work = writeBatch(batch).finally(() => writing.delete(work))
    writing.add(work)
  }

  /**
   * If a joint write fails, each job is written separately, so that a job that cannot be written does not affect the
   * others.
   */
  async function writeBatch(batch: PendingWrite[]): Promise<void> {
    const records = batch.map(({ record }) => record).filter(canBeWrittenTogether)
    const writtenIds = records.length > 1 ? await projections.applyNodeStarts(records).catch(() => NONE) : NONE
    await Promise.all(batch.map(pending => write(pending, writtenIds.has(pending.record.job.job_id))))
  }

  async function write(pending: PendingWrite, isRecordWritten: boolean): Promise<void> {
    const { record, completions, deferred } = pending
    try {
      if (!isRecordWritten && hasUpdates(record)) await projections.applyNodeStart(record)
      for (const completion of completions) await projections.applyNodeCompletion(completion)
    } catch (err) {
      if (err instanceof Unavailable && waiting.size < maxPendingJobs) return retry(pending)
      log.warn({ err, job_id: record.job.job_id }, 'failed to write projections')
    }
    deferred.resolve()
  }

  /** Queues all updates again, ahead of later updates. Writes are idempotent. */
  function retry({ record, completions, deferred }: PendingWrite): void {
    const pending = getOrCreatePending(record.job, retryMs)
    pending.record = mergeUpdates(record, pending.record)
    pending.completions.unshift(...completions)
    void pending.deferred.promise.then(deferred.resolve)
  }

  async function flush(timeoutMs: number): Promise<void> {
    await within(timeoutMs, async () => {
      while (waiting.size + writing.size > 0) {
        await Promise.all([...writing, ...[...waiting.values()].map(({ deferred }) => deferred.promise)])
      }
    })
  }

  return {
    recordStart(update) {
      const pending = getOrCreatePending(update.job)
      pending.record = mergeUpdates(pending.record, update)
    },
    async recordFinish(completion) {
      const pending = getOrCreatePending(completion.job)
      const { job, milestone, transcript, usage } = completion
      // The run also reports a node's end, but not the number of attempts.
      const isTold = transcript === undefined && usage === undefined && (milestone.attempt ?? 1) === 1
      if (isTold) {
        pending.record = mergeUpdates(pending.record, { job, nodes: [milestone], interventions: [] })
        return
      }
      pending.completions.push(completion)
      start([pending])
      await within(maxWaitMs, () => pending.deferred.promise)
    },
    take(jobId) {
      const pending = waiting.get(jobId)
      if (!pending || pending.completions.length > 0) return undefined
      waiting.delete(jobId)
      pending.deferred.resolve()
      return pending.record
    },
    countPending: () => waiting.size + writing.size,
    flush,
  }
}

const hasUpdates = ({ nodes, interventions, status }: RecordInput): boolean =>
  nodes.length > 0 || interventions.length > 0 || status !== undefined

const canBeWrittenTogether = (record: RecordInput): boolean => hasUpdates(record) && record.interventions.length === 0

/** Merges two updates of a job. The result is the same as that of writing one after the other. */
export const mergeUpdates = (before: RecordInput, update: RecordInput): RecordInput => ({
  job: before.job,
  status: update.status ?? before.status,
  seq: update.seq ?? before.seq,
  current_step: update.current_step ?? before.current_step,
  progress: update.progress ?? before.progress,
  nodes: [...before.nodes, ...update.nodes],
  interventions: [...before.interventions, ...update.interventions],
})

async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(limit.resolve, ms)
  await Promise.race([work(), limit.promise])
  clearTimeout(timer)
}
