import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure, TimeoutFailure } from '@temporalio/workflow'

const MAX_MESSAGE = 2_000

/** The code of all timeouts. */
export const TIMEOUT = 'TIMEOUT'
/** The failure type of activities that a worker has not finished before its shutdown. */
const WORKER_SHUTDOWN = 'WorkerShutdown'

/** Returns the code and message of a failure for nodes, receipts and job records. */
export function describeFailure(error: unknown): { error: { code: string; message: string }; timeout?: boolean } {
  const cause = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure ? error.cause : error
  if (isWorkerLost(cause)) return { error: { code: 'WORKER_LOST', message: 'the worker that ran this was lost' } }
  if (cause instanceof TimeoutFailure) {
    return { error: { code: TIMEOUT, message: 'timed out' }, timeout: true }
  }
  const code = (cause instanceof ApplicationFailure && cause.type) || 'FAILED'
  const message = cause instanceof Error ? cause.message : String(cause)
  return { error: { code, message: message.slice(0, MAX_MESSAGE) }, timeout: code === TIMEOUT }
}

const isWorkerLost = (cause: unknown): boolean =>
  (cause instanceof TimeoutFailure && cause.timeoutType === 'HEARTBEAT') ||
  (cause instanceof ApplicationFailure && cause.type === WORKER_SHUTDOWN)
