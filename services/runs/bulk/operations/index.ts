import type { BulkOperationName } from '../../../../domain/runs/bulk/bulk.ts'
import type { BulkOperation } from '../operation.ts'
import { cancel } from './cancel.ts'
import { migrate } from './migrate.ts'
import { pause } from './pause.ts'
import { resume } from './resume.ts'
import { retry } from './retry.ts'

/** All bulk operations by request name. */
const operations: Record<BulkOperationName, BulkOperation> = { cancel, pause, resume, retry, migrate }

export const getOperation = (name: BulkOperationName): BulkOperation => operations[name]
