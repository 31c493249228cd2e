import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../../config/config.ts'
import { findWorkspaceBySlug } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { findMember } from '../../../data/access/members-store.ts'
import { AuthRequired, Forbidden } from '../../../domain/shared/errors.ts'
import { clientCaller, type Caller } from '../callers.ts'
import { explainClaim, nameUser } from '../name-user.ts'
import { getExpiry, type TokenNames, verifyJwt } from './jwt.ts'

/** Access tokens (RFC 9068) for MCP clients: JWTs that an authorization server issues to a client for a user. */
export interface AccessTokens {
  /**
   * Authenticates the client for a path of the service, which must match the token's audience. Throws AuthRequired,
   * Forbidden if the user is not a member of the workspace, and Unavailable while the keys cannot be read.
   */
  authenticate(token: string, path: string): Promise<Caller>
}

type Settings = Pick<
  Config,
  | 'BASE_URL'
  | 'JWT_ALGORITHMS'
  | 'OAUTH_ISSUER'
  | 'OAUTH_JWKS_URL'
  | 'OAUTH_USER_CLAIM'
  | 'OAUTH_USER_PREFIX'
  | 'OAUTH_WORKSPACE'
  | 'OAUTH_WORKSPACE_CLAIM'
>

const KEYS_TIMEOUT_MS = 3_000
/** A removed member loses access within five seconds. */
const CACHE_MS = 4_500
const CACHE_ENTRIES = 10_000
/** The resource URL path that covers all paths of the MCP server. */
const MCP_RESOURCE = '/v1/mcp'

export function createAccessTokens({ db, config }: { db: Database; config: Settings }): AccessTokens {
  const { OAUTH_ISSUER: issuer, BASE_URL: baseUrl, JWT_ALGORITHMS: algorithms } = config
  const members = new LRUCache<string, Grantee, { slug: string; actor: string }>({
    max: CACHE_ENTRIES,
    ttl: CACHE_MS,
    fetchMethod: (_key, _stale, { context: { slug, actor } }) => findGrantee(slug, actor),
  })
  let keys: Promise<JWTVerifyGetKey> | undefined

  async function findGrantee(slug: string, actor: string): Promise<Grantee> {
    const workspace = await db.system(tx => findWorkspaceBySlug(tx, slug))
    const member = workspace && (await db.inWorkspace(workspace.id, tx => findMember(tx, actor)))
    return { workspace, member }
  }

  /** Discovers the URL of the keys once. */
  const openKeys = (): Promise<JWTVerifyGetKey> => {
    keys ??= findKeys(issuer ?? '', config.OAUTH_JWKS_URL)
    keys.catch(() => (keys = undefined))
    return keys
  }

  function verify(token: string, path: string): Promise<JWTPayload> {
    const audience = [MCP_RESOURCE, path].map(resource => new URL(resource, baseUrl).href)
    return verifyJwt(token, openKeys, { issuer: issuer ?? '', audience, algorithms, typ: ACCESS_TOKEN }, NAMES)
  }

  return {
    async authenticate(token, path) {
      if (issuer === undefined) throw new AuthRequired('The service does not accept access tokens')
      const payload = await verify(token, path)
      const { OAUTH_USER_PREFIX: prefix, OAUTH_USER_CLAIM: claim } = config
      const actor = nameUser(payload, { prefix, claim })
      if (actor === undefined) throw new AuthRequired(`The access token ${explainClaim(claim)}`)
      const slug = payload[config.OAUTH_WORKSPACE_CLAIM] ?? config.OAUTH_WORKSPACE
      if (typeof slug !== 'string') throw new AuthRequired('The access token does not name a workspace')
      const grantee = await members.fetch(JSON.stringify([slug, actor]), { context: { slug, actor } })
      // Also thrown for a workspace that does not exist.
      if (!grantee?.workspace || !grantee.member) throw new Forbidden(`${actor} is not a member of the workspace`)
      const { workspace, member } = grantee
      const expires_at = getExpiry(payload)
      return clientCaller(
        { workspace, client_id: nameClient(payload), scopes: readScopes(payload), expires_at },
        member,
      )
    },
  }
}

type Grantee = {
  workspace: Awaited<ReturnType<typeof findWorkspaceBySlug>>
  member: Awaited<ReturnType<typeof findMember>>
}

async function findKeys(issuer: string, jwksUrl: string | undefined): Promise<JWTVerifyGetKey> {
  const url = jwksUrl ?? (await discoverKeys(issuer))
  return createRemoteJWKSet(new URL(url), { timeoutDuration: KEYS_TIMEOUT_MS })
}

/** Reads the authorization server's metadata. */
async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(KEYS_TIMEOUT_MS) })
  const { jwks_uri } = (await response.json()) as { jwks_uri?: unknown }
  if (typeof jwks_uri !== 'string') throw new Error('the metadata contains no jwks_uri')
  return jwks_uri
}

const nameClient = ({ client_id, azp }: JWTPayload): string => {
  const name = client_id ?? azp
  return typeof name === 'string' ? name.slice(0, 200) : 'unknown'
}

const readScopes = ({ scope }: JWTPayload): string[] => (typeof scope === 'string' ? scope.split(' ') : [])

/** The header type of access tokens (RFC 9068). ID tokens from the same issuer have a different type. */
const ACCESS_TOKEN = 'at+jwt'

const NAMES: TokenNames = {
  token: 'access token',
  issuer: 'the authorization server',
  describe: () =>
    `is not valid here: it has expired, has a different issuer or audience, or is not of type ${ACCESS_TOKEN}`,
}
