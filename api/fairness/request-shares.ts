import { RateLimited } from '../../domain/shared/errors.ts'
import { createShares } from '../../domain/shared/fairness/shares.ts'
import type { Step } from '../routing/state.ts'

/**
 * A workspace may have at most this many requests in progress per free connection. A single workspace can get half of
 * the connections.
 */
const MAX_HELD_PER_FREE = 1

/** Divides the connections of the process between workspaces. An open stream counts as a request in progress. */
export function requestShares(maxConnections: number): Step {
  const shares = createShares(maxConnections, MAX_HELD_PER_FREE)
  return (ctx, next) => {
    const workspaceId = ctx.state.principal?.workspace_id
    if (workspaceId === undefined) return next()
    if (!shares.take(workspaceId, 1)) throw new RateLimited('The workspace has too many requests in progress')
    ctx.res.once('close', () => shares.release(workspaceId, 1))
    return next()
  }
}
