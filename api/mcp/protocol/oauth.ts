import { AppError } from '../../../domain/shared/errors.ts'
import { isJsonObject } from '../../../domain/shared/json/json.ts'
import { type Permission, ROLES, SCOPE_NAMES } from '../../../domain/access/permissions.ts'
import type { AppContext, Step } from '../../routing/state.ts'
import type { AccessOfRoutes } from '../calls/access-of-routes.ts'
import { isMcpPath, MCP_PATH } from './paths.ts'
import type { Tool } from '../tools/tool.ts'
import type { Caller } from '../../../services/access/callers.ts'

/** What MCP clients need to get an access token (RFC 9728, RFC 6750). */

export interface OAuthSettings {
  BASE_URL?: string
  OAUTH_ISSUER?: string
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** An access token that its scopes do not let do what is asked. Its user may give more. */
export class InsufficientScope extends AppError {
  constructor(permission: string) {
    super('FORBIDDEN', 403, `The scopes of the access token do not give the permission "${permission}"`)
  }
}

/**
 * Describes the MCP server to clients that look for its authorization server: for itself, and for each toolkit. The
 * description is public.
 */
export const protectedResource =
  ({ BASE_URL, OAUTH_ISSUER }: OAuthSettings): Step =>
  (ctx, next) => {
    const path = readResourcePath(ctx.path)
    if (OAUTH_ISSUER === undefined || path === undefined || !READS.has(ctx.method)) return next()
    ctx.set('Access-Control-Allow-Origin', '*')
    ctx.set('Access-Control-Allow-Headers', 'MCP-Protocol-Version')
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204
      return Promise.resolve()
    }
    ctx.set('Cache-Control', 'public, max-age=3600')
    ctx.body = {
      resource: new URL(path, BASE_URL).href,
      resource_name: 'Ganglion',
      authorization_servers: [OAUTH_ISSUER],
      scopes_supported: SCOPE_NAMES,
      bearer_methods_supported: ['header'],
    }
    return Promise.resolve()
  }

/** The path of the resource that a path of metadata is about. */
function readResourcePath(path: string): string | undefined {
  if (path === METADATA_PATH) return MCP_PATH
  const resource = path.startsWith(`${METADATA_PATH}/`) ? path.slice(METADATA_PATH.length) : undefined
  return resource !== undefined && isMcpPath(resource) ? resource : undefined
}

/** What a 401 or a 403 says of how to get what is missing. */
export function buildChallenge(ctx: AppContext, error: AppError, { BASE_URL, OAUTH_ISSUER }: OAuthSettings): string {
  const parts = [findErrorCode(ctx, error)]
  if (OAUTH_ISSUER !== undefined) {
    const scopes = error instanceof InsufficientScope ? SCOPE_NAMES : SCOPE_NAMES.slice(0, 1)
    parts.push(`scope="${scopes.join(' ')}"`)
    parts.push(`resource_metadata="${new URL(METADATA_PATH + ctx.path, BASE_URL).href}"`)
  }
  const challenge = parts.filter(part => part !== undefined).join(', ')
  return challenge === '' ? 'Bearer' : `Bearer ${challenge}`
}

function findErrorCode(ctx: AppContext, error: AppError): string | undefined {
  if (error instanceof InsufficientScope) return 'error="insufficient_scope"'
  return ctx.get('Authorization') ? 'error="invalid_token"' : undefined
}

/**
 * Throws InsufficientScope for a call of a tool that the role of the user allows, but the scopes of the token do not: the
 * client may ask the user for more.
 */
export function checkScopes(
  message: unknown,
  tools: readonly Tool[],
  { scopes, role, principal: { permissions } }: Caller,
  accessOf: AccessOfRoutes,
): void {
  if (scopes === undefined || role === undefined) return
  const { method, params } = isJsonObject(message) ? message : {}
  const toolName = method === 'tools/call' && isJsonObject(params) ? params.name : undefined
  const tool = tools.find(({ name }) => name === toolName)
  const permission = tool && accessOf(tool.route).permission
  const ofRole: readonly Permission[] = ROLES[role]
  if (permission && !permissions.has(permission) && ofRole.includes(permission)) throw new InsufficientScope(permission)
}
