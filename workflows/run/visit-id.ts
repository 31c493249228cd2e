import { workflowInfo } from '@temporalio/workflow'
import { uuidOf } from '../../domain/name-uuid.ts'

/**
 * The id of what the visit of a node brings about: its asking, its child run. A workflow task that is done again after
 * a crash may find that more has happened meanwhile. A random id, drawn in another order than the first time, would then
 * name another node's asking than the one already written down; this one can't.
 */
export const visitId = (key: string): string => uuidOf(`${workflowInfo().runId} ${key}`)
