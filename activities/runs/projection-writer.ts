import type { Logger } from 'pino'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { RecordInput } from '../../domain/runs/run-records.ts'
import type { NodeCompletion, Projections } from '../../services/runs/projections.ts'

/** Writes the milestones of activities in the background. Its failures do not fail an activity. */
export interface ProjectionWriter {
  recordStart(update: RecordInput): void
  /** Resolves when the end is written, or after `maxWaitMs`. */
  recordFinish(completion: NodeCompletion): Promise<void>
  /** Returns the number of jobs with changes that are not written yet. */
  countPending(): number
  /** Resolves when all is written, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
}

interface PendingWrite {
  record: RecordInput
  completions: NodeCompletion[]
  deferred: PromiseWithResolvers<void>
}

interface Settings {
  /** Updates within this time are written in one statement: those of one job, and of all jobs of a workspace. */
  batchMs?: number
  /** Interval of attempts while Postgres is unavailable. */
  retryMs?: number
  /** The longest wait of an activity for its own write. */
  maxWaitMs?: number
  /** Maximum number of jobs with pending writes. The record at the end of a run covers the others. */
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
  /** By workspace and delay: what is written when the delay is over. */
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

  /** What is not written together is written alone, so that one job that cannot be written fails for itself. */
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
      log.warn({ err, job_id: record.job.job_id }, 'writing projections failed')
    }
    deferred.resolve()
  }

  /** Queues all updates again, before later ones: writes are idempotent. */
  function retry({ record, completions, deferred }: PendingWrite): void {
    const pending = getOrCreatePending(record.job, retryMs)
    pending.record = merge(record, pending.record)
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
      pending.record = merge(pending.record, update)
    },
    async recordFinish(completion) {
      const pending = getOrCreatePending(completion.job)
      const { job, milestone, transcript, usage } = completion
      // The run tells the end of a node too, but not its number of attempts.
      const isTold = transcript === undefined && usage === undefined && (milestone.attempt ?? 1) === 1
      if (isTold) {
        pending.record = merge(pending.record, { job, nodes: [milestone], interventions: [] })
        return
      }
      pending.completions.push(completion)
      start([pending])
      await within(maxWaitMs, () => pending.deferred.promise)
    },
    countPending: () => waiting.size + writing.size,
    flush,
  }
}

const hasUpdates = ({ nodes, interventions, status }: RecordInput): boolean =>
  nodes.length > 0 || interventions.length > 0 || status !== undefined

const canBeWrittenTogether = (record: RecordInput): boolean => hasUpdates(record) && record.interventions.length === 0

const merge = (before: RecordInput, update: RecordInput): RecordInput => ({
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
