import type { ActivityOptions } from '@temporalio/common'
import { retryThroughOutages } from '../activity-options.ts'

const MAX_ATTEMPTS = 12
/** Time to read the piece and to store the answer. */
const OVERHEAD_MS = 30_000
/** Includes the time in the queue of the splitter. */
const SPLIT_TIMEOUT = '1 hour'

const buildOptions = (
  summary: string,
  startToCloseTimeout: ActivityOptions['startToCloseTimeout'],
): ActivityOptions => ({
  ...retryThroughOutages(MAX_ATTEMPTS),
  summary,
  startToCloseTimeout,
})

export const splitOptions = buildOptions('split into pieces', SPLIT_TIMEOUT)
export const joinOptions = buildOptions('join the pieces', '1 minute')
export const deleteOptions = buildOptions('delete the audio', '1 minute')

export const buildPieceOptions = (ordinal: number, total: number, timeLimitMs: number): ActivityOptions => ({
  ...buildOptions(`piece ${ordinal + 1} of ${total}`, timeLimitMs + OVERHEAD_MS),
  activityId: `piece-${ordinal + 1}`,
})
