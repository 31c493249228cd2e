import { workflowInfo } from '@temporalio/workflow'
import { deriveUuid } from '../../domain/shared/name-uuid.ts'

export const now = (): string => new Date().toISOString()

/**
 * Returns the id of the intervention or child run of a node. It depends on the key alone: a workflow task that is repeated
 * after a crash may start nodes in another order, and random ids would then belong to other nodes.
 */
export const createDeterministicId = (key: string): string => deriveUuid(`${workflowInfo().runId} ${key}`)
