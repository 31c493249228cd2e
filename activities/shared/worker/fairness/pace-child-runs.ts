import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { WorkPace } from '../../../../domain/shared/fairness/work-pace.ts'
import { findWorkspace } from './workspace-shares.ts'

/** Activities that write a child run's row. The parent run starts the child run with the returned options. */
const OPENING = new Set(['openChild', 'openCall', 'openNeuron'])

/** Adds the console URL, so that the child run can link to its page in the console. */
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

/**
 * Spaces out child runs in a workspace that starts many of them. The delay is a timer in the parent run, which
 * occupies no slot.
 */
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
