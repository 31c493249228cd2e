import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { WorkPace } from '../../../../domain/shared/fairness/work-pace.ts'
import { findWorkspace } from './workspace-shares.ts'

/** Activities that write the row of a child run. Its parent starts it with the options of the result. */
const OPENING = new Set(['openChild', 'openCall', 'openNeuron'])

/** Says where the console is, so that the run links to its page there. */
export const linkChildRuns =
  (console_runs: string): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const result: unknown = await next(input)
        return OPENING.has(info.activityType) ? { ...(result as object | undefined), console_runs } : result
      },
    },
  })

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
