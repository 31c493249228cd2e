import { ApplicationFailure, proxyLocalActivities } from '@temporalio/workflow'
import type { PathwayProjections, RunEnding } from '../../../activities/types.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import { RECORD_OPTIONS } from '../steps/activity-options.ts'
import { INVALID_INPUT } from './messages.ts'
import { nonCancellableHandler } from '../scopes.ts'

const { findEnding } = proxyLocalActivities<PathwayProjections>(RECORD_OPTIONS)

type Handler<M, R> = (message: M) => R | Promise<R>

/** Wraps a message handler. If the sender waits for a reply, `onEnded` returns the reply of an ended run. */
export type Inbox = <M, R = void>(handle: Handler<M, R>, onEnded?: () => R) => (message: M) => Promise<R>

export function refuseEnded(): never {
  throw ApplicationFailure.nonRetryable('the run has ended', INVALID_INPUT)
}

/**
 * Wraps message handlers so that they run sequentially. Once the job's row contains an ending, a message ends the run
 * with that ending instead of being handled. If the sender waits, `onEnded` returns the reply.
 *
 * The last workflow task writes the ending. The server rejects that task if a message has arrived in the meantime.
 * When the task is retried, the SDK delivers messages first, and they must not change a run whose end is published.
 */
export function createInbox(job: JobRef, endAs: (ending: RunEnding) => void): Inbox {
  let last: Promise<unknown> = Promise.resolve()
  return <M, R = void>(handle: Handler<M, R>, onEnded = () => undefined as R) =>
    nonCancellableHandler((message: M) => {
      const result = last.then(async () => {
        const ending = await findEnding({ job })
        if (!ending) return handle(message)
        endAs(ending)
        return onEnded()
      })
      last = result.catch(() => undefined)
      return result
    })
}
