import type { Logger } from 'pino'
import { Unavailable } from '../domain/errors.ts'
import type { RecordInput } from '../domain/run-records.ts'
import type { NodeNews, Projections } from '../services/projections.ts'

/** Writes what activities tell of their nodes, behind their backs: nobody waits for it and nobody fails by it. */
export interface NewsWriter {
  started(news: RecordInput): void
  /** Resolves once this is written, or after a while in any case. */
  finished(news: NodeNews): Promise<void>
  /** Resolves when all is written, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
}

interface Pending {
  record: RecordInput
  finished: NodeNews[]
  written: PromiseWithResolvers<void>
  timer?: NodeJS.Timeout
}

interface Settings {
  /** What comes within this time for one job is written in one statement. */
  gatherMs?: number
  /** Between attempts while Postgres is away. */
  retryMs?: number
  /** The longest an activity waits for its own news. */
  patienceMs?: number
  /** Jobs with unwritten news while Postgres is away; those beyond are left to the record at the end of the run. */
  limit?: number
}

type Deps = { projections: Pick<Projections, 'nodeStarted' | 'nodeFinished'>; log: Logger }

export function createNewsWriter({ projections, log }: Deps, settings: Settings = {}): NewsWriter {
  const { gatherMs = 50, retryMs = 1_000, patienceMs = 2_000, limit = 5_000 } = settings
  const waiting = new Map<string, Pending>()
  const writing = new Set<Promise<void>>()

  function pendingOf(job: RecordInput['job'], afterMs = gatherMs): Pending {
    const known = waiting.get(job.job_id)
    if (known) return known
    const pending: Pending = {
      record: { job, nodes: [], interventions: [] },
      finished: [],
      written: Promise.withResolvers<void>(),
    }
    waiting.set(job.job_id, pending)
    pending.timer = setTimeout(() => start(pending), afterMs)
    return pending
  }

  function start(pending: Pending): void {
    clearTimeout(pending.timer)
    waiting.delete(pending.record.job.job_id)
    const work = write(pending).finally(() => writing.delete(work))
    writing.add(work)
  }

  async function write(pending: Pending): Promise<void> {
    const { record, finished, written } = pending
    try {
      if (hasNews(record)) await projections.nodeStarted(record)
      for (const news of finished) await projections.nodeFinished(news)
    } catch (err) {
      if (err instanceof Unavailable && waiting.size < limit) return again(pending)
      log.warn({ err, job_id: record.job.job_id }, 'news of a run could not be written')
    }
    written.resolve()
  }

  /** Telling the same twice changes nothing, so all of it comes again, before what came meanwhile. */
  function again({ record, finished, written }: Pending): void {
    const pending = pendingOf(record.job, retryMs)
    pending.record = merge(record, pending.record)
    pending.finished.unshift(...finished)
    void pending.written.promise.then(written.resolve)
  }

  async function flush(timeoutMs: number): Promise<void> {
    await within(timeoutMs, async () => {
      while (waiting.size + writing.size > 0) {
        await Promise.all([...writing, ...[...waiting.values()].map(({ written }) => written.promise)])
      }
    })
  }

  return {
    started(news) {
      const pending = pendingOf(news.job)
      pending.record = merge(pending.record, news)
    },
    async finished(news) {
      const pending = pendingOf(news.job)
      const { job, milestone, transcript, usage } = news
      if (transcript === undefined && usage === undefined) {
        pending.record = merge(pending.record, { job, nodes: [milestone], interventions: [] })
        return
      }
      pending.finished.push(news)
      start(pending)
      await within(patienceMs, () => pending.written.promise)
    },
    flush,
  }
}

const hasNews = ({ nodes, interventions, status }: RecordInput): boolean =>
  nodes.length > 0 || interventions.length > 0 || status !== undefined

const merge = (before: RecordInput, news: RecordInput): RecordInput => ({
  job: before.job,
  status: news.status ?? before.status,
  seq: news.seq ?? before.seq,
  current_step: news.current_step ?? before.current_step,
  progress: news.progress ?? before.progress,
  nodes: [...before.nodes, ...news.nodes],
  interventions: [...before.interventions, ...news.interventions],
})

async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(limit.resolve, ms)
  await Promise.race([work(), limit.promise])
  clearTimeout(timer)
}
