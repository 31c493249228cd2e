import type { ActivityOptions } from '@temporalio/common'
import { retryThroughOutages } from '../activity-options.ts'
import type { IngestRunInput } from './messages.ts'

/** An unreadable document fails with its own code and is not retried. */
export const buildExtractOptions = ({ document, time_limit_ms }: IngestRunInput): ActivityOptions => ({
  ...retryThroughOutages(15),
  summary: document.title,
  startToCloseTimeout: time_limit_ms,
})
