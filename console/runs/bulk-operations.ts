import type { Body } from '@ganglion/client'

export type BulkOperation = Body<'jobs.bulk'>['operation']

/** The operations on many runs, with the permission that each needs beside `jobs:control`. */
export const BULK_OPERATIONS = [
  { name: 'cancel', label: 'Cancel', permission: 'jobs:control' },
  { name: 'pause', label: 'Pause', permission: 'jobs:control' },
  { name: 'resume', label: 'Resume', permission: 'jobs:control' },
  { name: 'retry', label: 'Retry', permission: 'jobs:start' },
] as const satisfies readonly { name: BulkOperation; label: string; permission: string }[]

export const toBulkLabel = (operation: BulkOperation): string =>
  BULK_OPERATIONS.find(({ name }) => name === operation)?.label ?? operation
