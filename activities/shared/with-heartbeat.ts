import { Context, type Info } from '@temporalio/activity'
import type { Logger } from 'pino'
import { toFailure } from './failure.ts'
import { StepError } from '../../domain/runs/step-error.ts'

export interface ActivityScope {
  /** Aborts if the activity is cancelled or its worker shuts down. */
  signal: AbortSignal
  info: Info
  /** Sets the details for subsequent heartbeats. */
  setDetails: (details: unknown) => void
}

interface Settings<I> {
  log: Logger
  /** The subject of log messages, such as `extraction`. */
  subject: string
  /** Returns additional log fields besides job, activity and attempt. */
  logFields?: (input: I) => object
}

const HEARTBEAT_MS = 500

/**
 * Wraps `work` as an activity: sends heartbeats while it runs, logs its failure and throws the failure as an
 * ApplicationFailure with a code. Cancellation reasons are thrown unchanged. A local activity sends no heartbeats.
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
      // The reason is Temporal's CancelledFailure, even when a worker returns its work during shutdown.
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
