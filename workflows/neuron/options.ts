import type { ActivityOptions } from '@temporalio/common'
import { HEARTBEATED } from '../activity-options.ts'

/** Retries for minutes, because a provider may be overloaded or ask to wait. */
export const buildModelOptions = (key: string): ActivityOptions => ({
  ...HEARTBEATED,
  activityId: key,
  summary: key,
  startToCloseTimeout: '15 minutes',
  retry: { maximumAttempts: 8, initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '60 seconds' },
})

/** Retries for a short time only: the model receives the failure and may choose another call. */
export const buildCallOptions = (key: string): ActivityOptions => ({
  ...HEARTBEATED,
  activityId: key,
  summary: key,
  startToCloseTimeout: '5 minutes',
  retry: {
    maximumAttempts: 4,
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
  },
})
