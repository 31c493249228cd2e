import type { ActivityOptions } from '@temporalio/common'
import { HEARTBEAT_TIMEOUT } from '../record-options.ts'
import type { IngestRunInput } from './messages.ts'

/**
 * Reading is tried again while something that it needs is away, for some minutes in all, and after a worker was lost. A
 * document that cannot be read fails with a code that says so and is not tried again.
 */
export function extractOptions({ document, time_limit_ms }: IngestRunInput): ActivityOptions {
  return {
    summary: document.title,
    startToCloseTimeout: time_limit_ms,
    heartbeatTimeout: HEARTBEAT_TIMEOUT,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 2,
      maximumInterval: '30 seconds',
      maximumAttempts: 15,
      nonRetryableErrorTypes: ['INTERNAL'],
    },
  }
}
