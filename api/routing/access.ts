import type { CredentialKind, Permission } from '../../domain/access/permissions.ts'

/** `required`: a credential is needed. `optional`: one is checked if it is sent. `none`: none is read. */
export type Authentication = 'required' | 'optional' | 'none'

/** Who may call a route. */
export interface RouteAccess<A extends Authentication = Authentication> {
  authentication: A
  credentials: readonly CredentialKind[]
  /** Null where every caller with one of the credentials may call the route. */
  permission: Permission | null
}

const takes =
  (...credentials: CredentialKind[]) =>
  (permission: Permission | null): RouteAccess<'required'> => ({ authentication: 'required', credentials, permission })

/** Routes that change nothing. */
export const allowReaders = takes('api_key', 'session', 'publishable_key')

/** Routes of a conversation, which a browser may hold for its user. */
export const allowChat = takes('api_key', 'session', 'publishable_key')

/** Routes that change something. */
export const allowWriters = takes('api_key', 'session')

/** The MCP server. */
export const allowClients = takes('api_key', 'access_token')

/** Routes of the signed-in user. */
export const allowSessions = takes('session')

/** Public routes, which a share token opens for its target. */
export const allowShares = takes('share_token')(null)

/** Routes that tell more to those who say who they are. */
export const allowAnyone: RouteAccess<'optional'> = { ...allowReaders(null), authentication: 'optional' }

/** Routes that read no credential. */
export const allowAll: RouteAccess<'none'> = { authentication: 'none', credentials: [], permission: null }
