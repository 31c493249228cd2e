import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common'
import { retryThroughOutages } from '../activity-options.ts'
import type { IngestRunInput } from './messages.ts'

/** An unreadable document fails with its own code and is not retried. */
export const buildExtractOptions = ({ document, time_limit_ms }: IngestRunInput): ActivityOptions => ({
  ...retryThroughOutages(15),
  summary: document.title,
  startToCloseTimeout: time_limit_ms,
})

/** The longest local attempt: a workflow task takes no messages while a local activity runs. */
const MAX_LOCAL_MS = 500

/** Options of the local attempt at a small text. */
export const buildLocalExtractOptions = ({ document }: IngestRunInput): LocalActivityOptions => ({
  summary: document.title,
  startToCloseTimeout: MAX_LOCAL_MS,
  retry: { maximumAttempts: 1 },
})
