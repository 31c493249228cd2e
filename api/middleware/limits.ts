import type { IncomingMessage } from 'node:http'
import { RateLimited } from '../../domain/shared/errors.ts'
import { buildCredentialKey } from '../../domain/access/plans.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RateLimiter, RateLimitState } from '../../domain/access/rate-limiter.ts'
import type { PlansService } from '../../services/access/plans.ts'
import type { AppContext, Step } from '../routing/state.ts'

interface RateLimitDeps {
  limiter: RateLimiter
  plans: Pick<PlansService, 'find'>
  /** Maximum number of requests per minute for each address. */
  addressLimit: number
  toAddress: (req: IncomingMessage) => string
  /** Authenticates the caller of a request that matches no route. */
  identify: (ctx: AppContext) => Promise<Principal | undefined>
}

/** Counts each request once and sets the `X-RateLimit-*` headers. Throws RateLimited. */
export interface RateLimit {
  /**
   * Runs in each route, after authentication. Counts the request for the principal's credential, or for the address
   * if there is no credential.
   */
  route: Step
  /** Wraps all routes. Counts requests that match no route or fail authentication. */
  others: Step
  /** Counts an unreadable request for the address of its connection. Returns the rate limit headers as lines. */
  unread: (address: string | undefined) => Promise<string[]>
  /** Counts a batch's calls beyond the first. Each call counts as a request. */
  calls(ctx: AppContext, calls: number): Promise<void>
}

export function createRateLimit({ limiter, plans, addressLimit, toAddress, identify }: RateLimitDeps): RateLimit {
  /**
   * Counts the request against the principal's credential, or against the address if there is no credential or its
   * plan cannot be read.
   */
  async function countRequest(ctx: AppContext, requests = 1): Promise<void> {
    const principal = ctx.state.route === undefined ? await identify(ctx).catch(() => undefined) : ctx.state.principal
    const plan = principal && (await plans.find(principal.workspace_id).catch(() => undefined))
    if (principal && plan) await count(ctx, buildCredentialKey(principal), plan.requests_per_minute, requests)
    else await count(ctx, `address:${toAddress(ctx.req)}`, addressLimit, requests)
  }

  async function count(ctx: AppContext, subject: string, limit: number, requests: number): Promise<void> {
    ctx.state.isCounted = true
    const state = await limiter.count(subject, limit, requests)
    ctx.set(listHeaders(state))
    if (state.isExceeded) throw new RateLimited(`More than ${limit} requests per minute`, toSeconds(state.msToReset))
  }

  return {
    async route(ctx, next) {
      await countRequest(ctx)
      return next()
    },
    calls: async (ctx, calls) => {
      if (calls > 0) await countRequest(ctx, calls)
    },
    async others(ctx, next) {
      try {
        return await next()
      } catch (error) {
        if (!ctx.state.isCounted) await countRequest(ctx)
        throw error
      }
    },
    unread: async address => {
      const state = await limiter.count(`address:${address ?? 'unknown'}`, addressLimit)
      return Object.entries(listHeaders(state)).map(([name, value]) => `${name}: ${value}`)
    },
  }
}

const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))

const listHeaders = ({ limit, remaining, msToReset }: RateLimitState): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil((Date.now() + msToReset) / 1_000)),
})

/** Rejects requests that write or start work if the workspace's trial has ended or its included spend is used up. */
export function plan(plans: Pick<PlansService, 'checkWrite'>): Step {
  return async (ctx, next) => {
    if (ctx.state.principal) await plans.checkWrite(ctx.state.principal)
    return next()
  }
}
