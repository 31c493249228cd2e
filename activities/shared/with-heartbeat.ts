import { Context, type Info } from '@temporalio/activity'
import type { Logger } from 'pino'
import { toFailure } from './failure.ts'
import { StepError } from '../../domain/runs/step-error.ts'

export interface ActivityScope {
  /** Aborts when the activity is cancelled or its worker shuts down. */
  signal: AbortSignal
  info: Info
  /** Sets the details that the following heartbeats carry. */
  setDetails: (details: unknown) => void
}

interface Settings<I> {
  log: Logger
  /** The subject of log messages, such as `extraction`. */
  subject: string
  /** Returns fields for log entries beside job, activity and attempt. */
  logFields?: (input: I) => object
}

const HEARTBEAT_MS = 500

/**
 * Makes an activity of `work`: sends heartbeats while it runs, logs its failure and throws it as an ApplicationFailure
 * with a code. Throws the reason of a cancellation unchanged. A local activity sends no heartbeats.
 */
export function withHeartbeat<I extends { job: { job_id: string } }, O>(
  { log, subject, logFields }: Settings<I>,
  work: (input: I, scope: ActivityScope) => Promise<O>,
): (input: I) => Promise<O> {
  return async input => {
    const context = Context.current()
    const { info, cancellationSignal: signal } = context
    let details: unknown
    const sendHeartbeat = () => context.heartbeat(details)
    const timer = info.isLocal ? undefined : setInterval(sendHeartbeat, HEARTBEAT_MS)
    try {
      return await work(input, { signal, info, setDetails: value => void (details = value) })
    } catch (error) {
      if (timer) sendHeartbeat()
      // The reason is Temporal's CancelledFailure, also when a worker that shuts down returns its work.
      signal.throwIfAborted()
      const { activityType: activity, attempt } = info
      const fields = { job_id: input.job.job_id, activity, attempt, ...logFields?.(input) }
      if (error instanceof StepError)
        log.info({ ...fields, code: error.code, retryable: error.retryable }, `${subject} failed`)
      else log.error({ ...fields, err: error }, `${subject} failed unexpectedly`)
      throw toFailure(error)
    } finally {
      clearInterval(timer)
    }
  }
}
