import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import { ApplicationFailure } from '@temporalio/common'
import type { JobRef } from '../../../../domain/runs/jobs.ts'
import { createShares, WORKSPACE_BUSY } from '../../../../domain/shared/fairness/shares.ts'

/** A workspace may hold as many slots as it leaves free: alone half of them, beside another one a third. */
const MAX_HELD_PER_FREE = 1

/**
 * Shares the slots of regular activities between workspaces. An activity holds its slot also while it waits.
 * Activities above the share are refused; the workflow schedules a refused one again.
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

/** All activities take the job as `job`. The fairness key is no source: an activity that starts eagerly has none. */
export const findWorkspace = ({ args: [input] }: ActivityExecuteInput): string =>
  (input as { job: JobRef }).job.workspace_id
