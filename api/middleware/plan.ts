import type { PlansService } from '../../services/access/plans/plans.ts'
import type { Step } from '../routing/state.ts'

/** Refuses requests that write or start work after the trial of the workspace, or when its included spend is used. */
export function plan(plans: Pick<PlansService, 'checkWrite'>): Step {
  return async (ctx, next) => {
    if (ctx.state.principal) await plans.checkWrite(ctx.state.principal)
    return next()
  }
}
