import { workflowInfo } from '@temporalio/workflow'
import { deriveUuid } from '../../domain/shared/name-uuid.ts'

export const now = (): string => new Date().toISOString()

/**
 * Returns the id of a node's task or child run. The id depends only on the key. A workflow task that is retried after
 * a crash may start nodes in another order, so random ids could end up at other nodes.
 */
export const createDeterministicId = (key: string): string => deriveUuid(`${workflowInfo().runId} ${key}`)
