import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { ApplicationFailure } from '@temporalio/common'
import { WORKSPACE_BUSY } from '../../domain/work-limits.ts'
import type { WorkPace } from '../../domain/work-pace.ts'
import { findWorkspace } from './workspace-shares.ts'

/** Time between two activities of one workspace on a busy machine: twice what a step costs, with all that belongs to it. */
export const BUSY_STEP_GAP_MS = 100 / availableParallelism()
/** An activity that would wait longer is refused. */
const MAX_WAIT_MS = 2_000
/** The part of its time that an activity may wait. */
const MAX_WAIT_SHARE = 0.1

/**
 * Spaces the regular activities of a workspace, with which its runs go on, while others have work on a busy machine. Those
 * that would wait for long are refused; the workflow schedules a refused one again.
 */
export const paceSteps =
  (pace: WorkPace): ActivityInterceptorsFactory =>
  ({ info, cancellationSignal }) => ({
    inbound: {
      async execute(input, next) {
        const workspace = findWorkspace(input)
        if (info.isLocal) {
          pace.note(workspace)
          return next(input)
        }
        const maxMs = Math.min(MAX_WAIT_MS, info.startToCloseTimeoutMs * MAX_WAIT_SHARE)
        const waitMs = pace.reserve(workspace, maxMs)
        if (waitMs === undefined)
          throw ApplicationFailure.nonRetryable('The workspace has too many steps', WORKSPACE_BUSY)
        // A cancelled activity goes on at once, and learns of it itself.
        if (waitMs > 0) await sleep(waitMs, undefined, { signal: cancellationSignal }).catch(() => undefined)
        return next(input)
      },
    },
  })
