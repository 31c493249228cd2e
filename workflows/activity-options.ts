import type { ActivityOptions } from '@temporalio/common'

/** Of activities that may take a while: a worker that dies is noticed soon, and a cancel waits for how they end. */
export const watched = {
  heartbeatTimeout: 5_000,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} satisfies ActivityOptions

/** The same, tried again for some minutes while something that they need is away, and after a worker was lost. */
export const patient = (maximumAttempts: number): ActivityOptions => ({
  ...watched,
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '30 seconds',
    maximumAttempts,
    nonRetryableErrorTypes: ['INTERNAL'],
  },
})
