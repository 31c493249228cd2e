import { timingSafeEqual } from 'node:crypto'
import type { CredentialKind } from '../../domain/access/permissions.ts'
import { AuthRequired, Forbidden } from '../../domain/shared/errors.ts'
import { readCredential } from '../credentials/read-credential.ts'
import type { RouteAccess } from '../routing/access.ts'
import type { Route } from '../routing/route.ts'
import type { AppContext, Step } from '../routing/state.ts'
import type { AccessService } from '../../services/access/access.ts'
import type { Caller } from '../../services/access/callers.ts'

/** Authenticates the caller and checks that the caller may call the route. */
export function auth({ access: allowed, effect }: Pick<Route, 'access' | 'effect'>, access: AccessService): Step {
  return async (ctx, next) => {
    const presented = readCredential(ctx, allowed)
    if (!presented && allowed.authentication === 'required') throw new AuthRequired()
    if (presented) {
      const caller = await access.authenticate(presented)
      ctx.state.caller = caller
      ctx.state.principal = caller.principal
      checkAllowed(allowed, caller)
      checkOrigin(ctx, caller)
      if (caller.csrf_token !== undefined && effect !== 'read') checkCsrfToken(ctx, caller.csrf_token)
    }
    return next()
  }
}

const NAMES: Record<CredentialKind, string> = {
  api_key: 'an API key',
  session: 'a session',
  publishable_key: 'a publishable key',
  share_token: 'a share token',
  access_token: 'an access token',
}

/** Throws Forbidden. The message names the accepted credentials or the required permission. */
function checkAllowed({ credentials, permission }: RouteAccess, { kind, principal: { permissions } }: Caller): void {
  if (!credentials.includes(kind)) {
    const names = credentials.map(credential => NAMES[credential]).join(' or ')
    throw new Forbidden(`This route accepts ${names}, not ${NAMES[kind]}`)
  }
  if (permission !== null && !permissions.has(permission))
    throw new Forbidden(`This route needs the permission "${permission}"`)
}

/** Throws Forbidden if a page of another site uses a share token that doesn't allow the site. */
function checkOrigin({ state: { foreignOrigin } }: AppContext, { share }: Caller): void {
  if (share && foreignOrigin !== undefined && !share.allowed_origins.has(foreignOrigin))
    throw new Forbidden(`The share token does not allow pages from ${foreignOrigin}: see allowed_origins`)
}

/**
 * Checks the CSRF token. Browsers also send session cookies with requests from other sites, but only the console can
 * read the token.
 */
function checkCsrfToken(ctx: AppContext, expected: string): void {
  const token = Buffer.from(ctx.get('X-CSRF-Token'))
  if (token.length !== expected.length || !timingSafeEqual(token, Buffer.from(expected)))
    throw new Forbidden('Send the X-CSRF-Token header with session requests that change data')
}

/**
 * Sets the explicit brain of the request from the `X-Brain-Id` header or `brain_id` in the body. If both are sent,
 * they must match. Without them, the principal keeps the default brain of its credential.
 */
export function brain(access: AccessService): Step {
  return async (ctx, next) => {
    const { principal, input } = ctx.state
    if (principal) {
      // Rejects an empty header, because a client with an unset variable doesn't mean the default brain.
      const named = 'x-brain-id' in ctx.headers ? ctx.get('X-Brain-Id') : undefined
      const inHeader = await access.withBrain(principal, named)
      ctx.state.principal = await access.withBrain(inHeader, input?.brain_id)
    }
    return next()
  }
}
