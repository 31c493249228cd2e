import type { CredentialKind, Permission } from '../../domain/access/permissions.ts'

/**
 * `required`: the request needs a credential. `optional`: a credential is checked if the request has one. `none`:
 * credentials are ignored.
 */
export type Authentication = 'required' | 'optional' | 'none'

/** The access rules of a route. */
export interface RouteAccess<A extends Authentication = Authentication> {
  authentication: A
  credentials: readonly CredentialKind[]
  /** Null if every caller with one of the credentials may call the route. */
  permission: Permission | null
}

const takes =
  (...credentials: CredentialKind[]) =>
  (permission: Permission | null): RouteAccess<'required'> => ({ authentication: 'required', credentials, permission })

/** For routes that change nothing. */
export const allowReaders = takes('api_key', 'session', 'publishable_key')

/** For conversation routes, which a browser may call on behalf of its user. */
export const allowChat = takes('api_key', 'session', 'publishable_key')

/** For routes that change something. */
export const allowWriters = takes('api_key', 'session')

/** For provisioning from a directory. */
export const allowKeys = takes('api_key')

/** For the MCP server. */
export const allowClients = takes('api_key', 'access_token')

/** For routes that only a signed-in user may call. */
export const allowSessions = takes('session')

/** For public routes. A share token gives access to its own target. */
export const allowShares = takes('share_token')(null)

/** For routes that return more to authenticated callers. */
export const allowAnyone: RouteAccess<'optional'> = { ...allowReaders(null), authentication: 'optional' }

/** For routes that ignore credentials. */
export const allowAll: RouteAccess<'none'> = { authentication: 'none', credentials: [], permission: null }
