import type { ActivityOptions } from '@temporalio/common'
import { patient } from '../activity-options.ts'

/** Where the speech service says how long to wait, that is how long. */
const ATTEMPTS = 12
/** Beside the request itself: reading the piece and keeping the answer. */
const AROUND_MS = 30_000
/** Audios wait in line to be cut. */
const SPLIT_TIMEOUT = '1 hour'

const options = (summary: string, startToCloseTimeout: ActivityOptions['startToCloseTimeout']): ActivityOptions => ({
  ...patient(ATTEMPTS),
  summary,
  startToCloseTimeout,
})

export const splitOptions = options('cut into pieces', SPLIT_TIMEOUT)
export const joinOptions = options('join the pieces', '1 minute')
export const dropOptions = options('let go of the audio', '1 minute')

export const pieceOptions = (ordinal: number, total: number, timeLimitMs: number): ActivityOptions =>
  options(`piece ${ordinal + 1} of ${total}`, timeLimitMs + AROUND_MS)
