import type { LocalActivityOptions } from '@temporalio/common'

/**
 * Projections are retried without limit: Postgres may be away for long. After 3 s, the run waits for the next attempt with a
 * timer. A workflow task that waits would keep its slot, and would take neither messages nor cancels.
 */
export const RECORD_OPTIONS: LocalActivityOptions = {
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '3 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
}
