import { isCancellation, log, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { RetentionActivities } from '../../activities/types.ts'
import { addExpired, FIRST_CURSOR } from '../../domain/audit/retention.ts'
import { retryThroughOutages } from '../shared/steps/activity-options.ts'
import { continueWithCurrentBuild } from '../shared/versioning.ts'
import type { OpenWorkspace, RetentionInput, RetentionResult } from './retention-messages.ts'

const { listWorkspaces, removeExpired } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '5 minutes',
  ...retryThroughOutages(10),
  // User runs have priority.
  priority: { priorityKey: 5 },
})

/** Maximum number of failed workspaces listed in the result. */
const MAX_NAMED = 100

/**
 * Removes expired data in all workspaces. Each workspace gets one batch per turn, so that a large workspace doesn't
 * delay the others. A cancellation takes effect after the current batch; the next run continues.
 */
export async function retention(input: RetentionInput): Promise<RetentionResult> {
  const { result = { workspaces: 0, removed: addExpired({}, {}), failed: [] } } = input
  let { after = '', open = [] } = input
  for (;;) {
    if (open.length === 0) {
      const next = await listWorkspaces({ job: { job_id: workflowInfo().workflowId, workspace_id: '' }, after })
      if (next.length === 0) break
      after = next.at(-1) ?? after
      open = next.map(id => ({ id, cursor: FIRST_CURSOR }))
      result.workspaces += next.length
    }
    open = await takeTurns(open, result)
    if (workflowInfo().continueAsNewSuggested) await continueWithCurrentBuild<typeof retention>({ after, open, result })
  }
  log.info('expired data removed', { ...result })
  return result
}

/**
 * Processes one batch in each workspace and adds it to the result. Returns the workspaces that may have more expired
 * data.
 */
async function takeTurns(workspaces: OpenWorkspace[], result: RetentionResult): Promise<OpenWorkspace[]> {
  const open: OpenWorkspace[] = []
  for (const { id, cursor } of workspaces) {
    const job = { job_id: workflowInfo().workflowId, workspace_id: id }
    try {
      const batch = await removeExpired({ job, cursor })
      result.removed = addExpired(result.removed, batch.removed)
      if (!batch.done) open.push({ id, cursor: batch.cursor })
    } catch (error) {
      if (isCancellation(error)) throw error
      if (result.failed.length < MAX_NAMED) result.failed.push(id)
    }
  }
  return open
}
