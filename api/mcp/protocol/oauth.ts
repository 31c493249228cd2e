import { AppError } from '../../../domain/shared/errors.ts'
import { isJsonObject } from '../../../domain/shared/json/json.ts'
import { type Permission, ROLES, SCOPE_NAMES } from '../../../domain/access/permissions.ts'
import type { AppContext, Step } from '../../routing/state.ts'
import type { AccessOfRoutes } from '../calls/access-of-routes.ts'
import { isMcpPath, MCP_PATH } from './paths.ts'
import type { Tool } from '../tools/tool.ts'
import type { Caller } from '../../../services/access/callers.ts'

/** Settings that MCP clients need to get an access token (RFC 9728, RFC 6750). */

export interface OAuthSettings {
  BASE_URL?: string
  OAUTH_ISSUER?: string
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The access token's scopes don't allow the call. The client can ask the user to grant more scopes. */
export class InsufficientScope extends AppError {
  constructor(permission: string) {
    super('FORBIDDEN', `The scopes of the access token do not include the permission "${permission}"`)
  }
}

/**
 * Serves public metadata that tells MCP clients which authorization server to use, for the whole server and for each
 * toolkit.
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

/** Returns the resource path in a metadata path. */
function readResourcePath(path: string): string | undefined {
  if (path === METADATA_PATH) return MCP_PATH
  const resource = path.startsWith(`${METADATA_PATH}/`) ? path.slice(METADATA_PATH.length) : undefined
  return resource !== undefined && isMcpPath(resource) ? resource : undefined
}

/** Returns the WWW-Authenticate challenge for a 401 or 403. The challenge explains how to get the missing access. */
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
 * Throws InsufficientScope if the user's role allows a tool call but the token's scopes do not. The client can then
 * ask the user for more scopes.
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
