import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { WorkPace } from '../../domain/work-pace.ts'
import { findWorkspace } from './workspace-shares.ts'

/** Activities that write the row of a child run. Its parent starts it after `delay_ms` of the result. */
const OPENING = new Set(['openChild', 'openCall', 'openNeuron'])

/** Spaces the child runs of a workspace whose runs start many. The wait is a timer of the parent, and holds no slot. */
export const paceChildRuns =
  (pace: WorkPace): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const workspace = findWorkspace(input)
        pace.note(workspace)
        const result: unknown = await next(input)
        const delay_ms = OPENING.has(info.activityType) ? pace.reserve(workspace) : 0
        return delay_ms > 0 ? { ...(result as object), delay_ms } : result
      },
    },
  })
