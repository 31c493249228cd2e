import type { RouteAccess } from '../routing/access.ts'
import type { AppContext } from '../routing/state.ts'
import { readSessionCookie } from './session-cookie.ts'
import type { PresentedCredential } from '../../services/access/callers.ts'

/**
 * Reads a request's credential. Public routes accept only a share token. Other routes use the first of these: a
 * publishable key with a user token, an API key, or a session cookie.
 */
export function readCredential(ctx: AppContext, { credentials }: RouteAccess): PresentedCredential | undefined {
  if (credentials.includes('share_token')) {
    const token = readShareToken(ctx)
    return token === undefined ? undefined : { kind: 'share_token', token }
  }
  const publishableKey = ctx.get('X-Publishable-Key')
  if (publishableKey) return { kind: 'publishable_key', token: publishableKey, userToken: readBearer(ctx) }
  const bearer = readBearer(ctx)
  if (bearer !== undefined && credentials.includes('access_token') && isJwt(bearer))
    return { kind: 'access_token', token: bearer, path: ctx.path }
  if (ctx.get('Authorization')) return { kind: 'api_key', token: bearer ?? '' }
  const session = readSessionCookie(ctx)
  return session === undefined ? undefined : { kind: 'session', token: session }
}

/** True for three parts separated by dots, because API keys contain no dots. */
const isJwt = (token: string): boolean => token.split('.').length === 3

function readBearer(ctx: AppContext): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? []
  return token
}

/** Reads the token from the bearer header, the query parameter `t` (`share` for a stream) or the body field `t`. */
function readShareToken(ctx: AppContext): string | undefined {
  const { query, state } = ctx
  const { json } = state
  const inBody = typeof json === 'object' && json !== null && 't' in json ? json.t : undefined
  const token = readBearer(ctx) ?? query.t ?? query.share ?? inBody
  return typeof token === 'string' ? token : undefined
}
