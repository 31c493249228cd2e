import type { LocalActivityOptions } from '@temporalio/common'

/** Writing down what happened is retried until it works: Postgres may be away for a while. */
export const recordOptions: LocalActivityOptions = {
  summary: 'write down',
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '5 minutes',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
}
