import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import { ApplicationFailure } from '@temporalio/common'
import type { JobRef } from '../../../../domain/runs/jobs.ts'
import { createShares, WORKSPACE_BUSY } from '../../../../domain/shared/fairness/shares.ts'

/**
 * A workspace may hold as many slots as it leaves free. This is half of all slots if the workspace is alone, and a
 * third if one other workspace is active.
 */
const MAX_HELD_PER_FREE = 1

/**
 * Shares the slots for regular activities between workspaces. An activity holds its slot even while it waits.
 * Activities that exceed their workspace's share are rejected, and the workflow reschedules them.
 */
export function createWorkspaceShares(slots: number): ActivityInterceptorsFactory {
  const shares = createShares(slots, MAX_HELD_PER_FREE)
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        if (info.isLocal) return next(input)
        const workspace = findWorkspace(input)
        if (!shares.take(workspace, 1))
          throw ApplicationFailure.nonRetryable('The workspace has too many activities', WORKSPACE_BUSY)
        try {
          return await next(input)
        } finally {
          shares.release(workspace, 1)
        }
      },
    },
  })
}

/**
 * All activities receive the job as `job`. The fairness key cannot be used, because an activity that is started
 * eagerly has none.
 */
export const findWorkspace = ({ args: [input] }: ActivityExecuteInput): string =>
  (input as { job: JobRef }).job.workspace_id
