import type { ActivityOptions } from '@temporalio/common'

/** Options of long activities: a lost worker is detected soon, and a cancel waits for the end of the activity. */
export const HEARTBEATED = {
  heartbeatTimeout: 5_000,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} satisfies ActivityOptions

/** Options of long activities that are retried for minutes, through the outage of a component or the loss of a worker. */
export const retryThroughOutages = (maximumAttempts: number): ActivityOptions => ({
  ...HEARTBEATED,
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '30 seconds',
    maximumAttempts,
    nonRetryableErrorTypes: ['INTERNAL'],
  },
})
