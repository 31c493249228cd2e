import type { AccessService } from '../../services/access/types.ts'
import type { AppContext, Step } from '../routing/state.ts'

/**
 * Sets the brain of the request: the `X-Brain-Id` header, else the body's `brain_id`. When they differ, access to the
 * body's brain is checked too.
 */
export function brain(access: AccessService): Step {
  return async (ctx, next) => {
    const { principal } = ctx.state
    if (principal) {
      const inHeader = ctx.get('X-Brain-Id') || undefined
      const inBody = parseBrainId(ctx)
      ctx.state.principal = await access.withBrain(principal, inHeader ?? inBody)
      if (inHeader && inBody && inBody !== inHeader) await access.withBrain(principal, inBody)
    }
    return next()
  }
}

function parseBrainId(ctx: AppContext): string | undefined {
  const body = ctx.state.input?.body
  if (typeof body !== 'object' || body === null || !('brain_id' in body)) return undefined
  return typeof body.brain_id === 'string' ? body.brain_id : undefined
}
