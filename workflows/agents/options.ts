import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import type { StepOptions } from '../shared/steps/step-runner.ts'

const MINUTE = 60_000

/** Retries for minutes, because a provider may be overloaded or ask to wait. */
export const buildModelOptions = (key: string): StepOptions => ({
  ...HEARTBEATED,
  activityId: key,
  summary: key,
  startToCloseTimeout: 15 * MINUTE,
  retry: { maximumAttempts: 8, initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: '60 seconds' },
})

/** Retries for a short time only: the model receives the failure and may choose another call. */
export const buildCallOptions = (key: string): StepOptions => ({
  ...HEARTBEATED,
  activityId: key,
  summary: key,
  startToCloseTimeout: 5 * MINUTE,
  retry: {
    maximumAttempts: 4,
    initialInterval: 500,
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
  },
})
