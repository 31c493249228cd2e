import type { ActivityOptions } from '@temporalio/common'
import { retryThroughOutages } from '../activity-options.ts'

const MAX_ATTEMPTS = 12

export const buildPieceOptions = (seq: number, timeLimitMs: number): ActivityOptions => ({
  ...retryThroughOutages(MAX_ATTEMPTS),
  activityId: `piece-${seq}`,
  summary: `piece ${seq}`,
  startToCloseTimeout: timeLimitMs,
})

export const concludeOptions: ActivityOptions = {
  ...retryThroughOutages(MAX_ATTEMPTS),
  summary: 'write the transcript',
  startToCloseTimeout: '1 minute',
}
