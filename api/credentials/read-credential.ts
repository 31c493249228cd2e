import type { RouteAccess } from '../routing/access.ts'
import type { AppContext } from '../routing/state.ts'
import { readSessionCookie } from './session-cookie.ts'
import type { PresentedCredential } from '../../services/access/callers.ts'

/**
 * Reads the credential of a request. A public route reads its share token only. Others read the first of: a publishable
 * key with a user token, an API key, the cookie of a session.
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

/** An API key has no dots. */
const isJwt = (token: string): boolean => token.split('.').length === 3

function readBearer(ctx: AppContext): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? []
  return token
}

/** The bearer token, the query parameter `t`, or `share` for a stream, or the field `t` of the body. */
function readShareToken(ctx: AppContext): string | undefined {
  const { query, state } = ctx
  const { json } = state
  const inBody = typeof json === 'object' && json !== null && 't' in json ? json.t : undefined
  const token = readBearer(ctx) ?? query.t ?? query.share ?? inBody
  return typeof token === 'string' ? token : undefined
}
