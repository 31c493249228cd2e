import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow'
import type { EngineEvent } from '../../domain/pathway/engine/commands.ts'

const MAX_MESSAGE = 2_000

/** Code of whatever ran out of time. */
export const TIMEOUT = 'TIMEOUT'
/** Type under which the SDK hands back what a worker could not finish before it shut down. */
const WORKER_SHUTDOWN = 'WorkerShutdown'

/** What a failed effect means to the engine. `stopping`: it had been told to stop. */
export function failureEvent(key: string, error: unknown, stopping: boolean): EngineEvent {
  const at = new Date().toISOString()
  if (isCancellation(error)) return { type: 'settled', key, at, outcome: 'stopped' }
  if (stopping) return { type: 'settled', key, at, outcome: 'in_doubt' }
  return { type: 'failed', key, at, ...describe(error) }
}

/** Code and message of a failure, as nodes, receipts and job records show it. */
export function describe(error: unknown): { error: { code: string; message: string }; timeout?: boolean } {
  const cause = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure ? error.cause : error
  if (isWorkerLost(cause)) return { error: { code: 'WORKER_LOST', message: 'the worker that ran this was lost' } }
  if (cause instanceof TimeoutFailure) {
    return { error: { code: TIMEOUT, message: 'its time ran out' }, timeout: true }
  }
  const code = (cause instanceof ApplicationFailure && cause.type) || 'FAILED'
  const message = cause instanceof Error ? cause.message : String(cause)
  return { error: { code, message: message.slice(0, MAX_MESSAGE) }, timeout: code === TIMEOUT }
}

const isWorkerLost = (cause: unknown): boolean =>
  (cause instanceof TimeoutFailure && cause.timeoutType === 'HEARTBEAT') ||
  (cause instanceof ApplicationFailure && cause.type === WORKER_SHUTDOWN)
