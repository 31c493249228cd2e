import type { ActivityOptions } from '@temporalio/common'
import { patient } from '../activity-options.ts'

const ATTEMPTS = 12

export const pieceOptions = (seq: number, timeLimitMs: number): ActivityOptions => ({
  ...patient(ATTEMPTS),
  summary: `piece ${seq}`,
  startToCloseTimeout: timeLimitMs,
})

export const concludeOptions: ActivityOptions = {
  ...patient(ATTEMPTS),
  summary: 'write the transcript',
  startToCloseTimeout: '1 minute',
}
