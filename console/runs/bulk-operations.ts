import type { Body } from '@ganglion/client'

export type BulkOperation = Body<'jobs.bulk'>['operation']

/** The operations on many runs, with the permission that each needs beside `jobs:control`. */
export const BULK_OPERATIONS = [
  { name: 'cancel', label: 'Cancel', permission: 'jobs:control' },
  { name: 'pause', label: 'Pause', permission: 'jobs:control' },
  { name: 'resume', label: 'Resume', permission: 'jobs:control' },
  { name: 'retry', label: 'Retry', permission: 'jobs:start' },
  { name: 'migrate', label: 'Migrate', permission: 'jobs:control', needsPathway: true },
] as const satisfies readonly OperationButton[]

interface OperationButton {
  name: BulkOperation
  label: string
  permission: string
  /** Offered for the runs of one pathway only. */
  needsPathway?: true
}

export const toBulkLabel = (operation: BulkOperation): string =>
  BULK_OPERATIONS.find(({ name }) => name === operation)?.label ?? operation
