import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common'

/** Options for long activities: a lost worker is detected quickly, and a cancellation waits for the activity to end. */
export const HEARTBEATED = {
  heartbeatTimeout: 5_000,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} satisfies ActivityOptions

/**
 * Options for long activities that are retried for several minutes, to survive outages of components or the loss of a
 * worker.
 */
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
 * Options for long activities that call a service outside of Ganglion. They return its failures, and fail only while a
 * component is unavailable. They are retried without limit.
 */
export const DELIVERY_OPTIONS = {
  ...HEARTBEATED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions

/**
 * Projections are retried without limit, because Postgres may be unavailable for a long time. After 3 s, the run
 * waits for the next attempt with a timer. A waiting workflow task would occupy its slot and accept neither messages
 * nor cancellations.
 */
export const RECORD_OPTIONS: LocalActivityOptions = {
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '3 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
}
