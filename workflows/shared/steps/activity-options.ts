import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common'

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

/**
 * Projections are retried without limit: Postgres may be away for long. After 3 s, the run waits for the next attempt with a
 * timer. A workflow task that waits would keep its slot, and would take neither messages nor cancels.
 */
export const RECORD_OPTIONS: LocalActivityOptions = {
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '3 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
}
