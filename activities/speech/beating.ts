import { Context } from '@temporalio/activity'
import type { Logger } from 'pino'
import { toFailure } from '../failure.ts'
import { StepError } from '../step-error.ts'

const HEARTBEAT_MS = 500

/** Makes an activity of work that may take long: it keeps the heartbeat, hears of a cancel, and fails with a code. */
export function beating<I extends { job: { job_id: string } }, O>(
  log: Logger,
  work: (input: I, signal: AbortSignal) => Promise<O>,
): (input: I) => Promise<O> {
  return async input => {
    const context = Context.current()
    const { cancellationSignal: signal, info } = context
    const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
    try {
      return await work(input, signal)
    } catch (error) {
      // The reason is Temporal's own CancelledFailure: also a worker that shuts down hands its work back this way.
      signal.throwIfAborted()
      const where = { job_id: input.job.job_id, activity: info.activityType, attempt: info.attempt }
      if (error instanceof StepError)
        log.info({ ...where, code: error.code, retryable: error.retryable }, 'transcription failed')
      else log.error({ ...where, err: error }, 'transcription failed unexpectedly')
      throw toFailure(error)
    } finally {
      clearInterval(heartbeat)
    }
  }
}
