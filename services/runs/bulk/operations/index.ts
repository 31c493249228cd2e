import type { BulkOperation } from '../operation.ts'
import { cancel } from './cancel.ts'
import { migrate } from './migrate.ts'
import { pause } from './pause.ts'
import { resume } from './resume.ts'
import { retry } from './retry.ts'

/** All operations of bulk jobs, by the name that requests give. */
const operations = { cancel, pause, resume, retry, migrate } satisfies Record<string, BulkOperation>

export type BulkOperationName = keyof typeof operations
export const BULK_OPERATIONS = Object.keys(operations) as [BulkOperationName, ...BulkOperationName[]]

export const getOperation = (name: BulkOperationName): BulkOperation => operations[name]
