import type { LocalActivityOptions } from '@temporalio/common'

/** Projections are retried without limit: Postgres may be away for long. */
export const RECORD_OPTIONS: LocalActivityOptions = {
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '5 minutes',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
}
