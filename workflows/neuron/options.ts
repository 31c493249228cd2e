import type { ActivityOptions } from '@temporalio/common'
import { watched } from '../activity-options.ts'

/** A provider that is overloaded or asks to wait is asked again for some minutes. */
export const modelOptions = (summary: string): ActivityOptions => ({
  ...watched,
  summary,
  startToCloseTimeout: '15 minutes',
  retry: { maximumAttempts: 8, initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '60 seconds' },
})

/** A call that fails for good is told to the model, which may do something else: so it is not tried for long. */
export const callOptions = (summary: string): ActivityOptions => ({
  ...watched,
  summary,
  startToCloseTimeout: '5 minutes',
  retry: {
    maximumAttempts: 4,
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
  },
})
