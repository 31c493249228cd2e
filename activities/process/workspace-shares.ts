import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import { ApplicationFailure } from '@temporalio/common'
import type { JobRef } from '../../domain/jobs.ts'
import { WORKSPACE_BUSY } from '../../domain/work-limits.ts'

/**
 * Shares the slots of regular activities between workspaces: one may hold as many as are free. So one workspace alone
 * gets half of them, and each of two a third, whatever their activities wait for. Further activities are refused; the
 * workflow schedules a refused one again.
 */
export function createWorkspaceShares(slots: number): ActivityInterceptorsFactory {
  const held = new Map<string, number>()
  let free = slots

  function take(workspace: string): void {
    const count = held.get(workspace) ?? 0
    if (count >= free) throw ApplicationFailure.nonRetryable('The workspace has too many activities', WORKSPACE_BUSY)
    held.set(workspace, count + 1)
    free--
  }

  function release(workspace: string): void {
    const count = (held.get(workspace) ?? 0) - 1
    if (count > 0) held.set(workspace, count)
    else held.delete(workspace)
    free++
  }

  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        if (info.isLocal) return next(input)
        const workspace = findWorkspace(input)
        take(workspace)
        try {
          return await next(input)
        } finally {
          release(workspace)
        }
      },
    },
  })
}

/** All activities take the job as `job`. The fairness key is no source: an activity that starts eagerly has none. */
const findWorkspace = ({ args: [input] }: ActivityExecuteInput): string => (input as { job: JobRef }).job.workspace_id
