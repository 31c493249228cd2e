import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure, TimeoutFailure } from '@temporalio/workflow'
import { MAY_HAVE_ARRIVED } from '../../domain/runs/step-error.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

const MAX_MESSAGE = 2_000

/** Code of all timeouts. */
export const TIMEOUT = 'TIMEOUT'
/** Failure type of activities that a worker did not finish before its shutdown. */
const WORKER_SHUTDOWN = 'WorkerShutdown'

export interface FailureDescription {
  error: { code: string; message: string }
  timeout?: boolean
  /** A call was sent, but its outcome is unknown. */
  may_have_arrived?: boolean
}

/** Returns the code and message of a failure for nodes, receipts and job records. */
export function describeFailure(error: unknown): FailureDescription {
  const cause = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure ? error.cause : error
  if (isWorkerLost(cause)) {
    return { error: { code: 'WORKER_LOST', message: 'the worker running this step was lost' }, may_have_arrived: true }
  }
  if (cause instanceof TimeoutFailure) {
    return { error: { code: TIMEOUT, message: 'timed out' }, timeout: true, may_have_arrived: true }
  }
  const code = (cause instanceof ApplicationFailure && cause.type) || 'FAILED'
  const message = cause instanceof Error ? cause.message : String(cause)
  const may_have_arrived = cause instanceof ApplicationFailure && cause.details?.[0] === MAY_HAVE_ARRIVED
  return { error: { code, message: cut(message, MAX_MESSAGE) }, timeout: code === TIMEOUT, may_have_arrived }
}

const isWorkerLost = (cause: unknown): boolean =>
  (cause instanceof TimeoutFailure && cause.timeoutType === 'HEARTBEAT') ||
  (cause instanceof ApplicationFailure && cause.type === WORKER_SHUTDOWN)
