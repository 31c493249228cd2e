import type { ActivityOptions } from '@temporalio/common'
import { patient } from '../activity-options.ts'
import type { IngestRunInput } from './messages.ts'

/** A document that cannot be read fails with a code that says so and is not tried again. */
export const extractOptions = ({ document, time_limit_ms }: IngestRunInput): ActivityOptions => ({
  ...patient(15),
  summary: document.title,
  startToCloseTimeout: time_limit_ms,
})
