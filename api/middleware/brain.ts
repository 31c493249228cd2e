import type { Step } from '../routing/state.ts'
import type { AccessService } from '../../services/access/access.ts'

/**
 * Sets the explicit brain context of the request: the `X-Brain-Id` header, or `brain_id` of the body. Where both are sent
 * they must agree. Without them, the principal keeps the default brain of its credential.
 */
export function brain(access: AccessService): Step {
  return async (ctx, next) => {
    const { principal, input } = ctx.state
    if (principal) {
      // An empty header is no UUID: a client whose variable is empty does not mean the default brain.
      const named = 'x-brain-id' in ctx.headers ? ctx.get('X-Brain-Id') : undefined
      const inHeader = await access.withBrain(principal, named)
      ctx.state.principal = await access.withBrain(inHeader, input?.brain_id)
    }
    return next()
  }
}
