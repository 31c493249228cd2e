import type { ActivityOptions } from '@temporalio/common'
import { HEARTBEAT_TIMEOUT } from '../record-options.ts'

const common: ActivityOptions = {
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '30 seconds',
    maximumAttempts: 12,
    nonRetryableErrorTypes: ['INTERNAL'],
  },
}

export const pieceOptions = (seq: number, timeLimitMs: number): ActivityOptions => ({
  ...common,
  summary: `piece ${seq}`,
  startToCloseTimeout: timeLimitMs,
})

export const concludeOptions: ActivityOptions = {
  ...common,
  summary: 'write the transcript',
  startToCloseTimeout: '1 minute',
}
