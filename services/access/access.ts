import { hash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { findExistingBrains } from '../../data/access/access-store.ts'
import {
  findByPrefix,
  findValidCredentials,
  noteUse,
  type FoundCredential,
} from '../../data/access/credentials-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { findMember, findMembers, type Member } from '../../data/access/members-store.ts'
import type { CredentialKind, StoredKind } from '../../domain/access/permissions.ts'
import { AuthRequired, Forbidden, ValidationError } from '../../domain/shared/errors.ts'
import { invalidRequestError } from '../../domain/shared/invalid-request.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { isUuid } from '../../domain/shared/uuid.ts'
import { canWriteBrain, inBrain } from './brains.ts'
import type { AccessTokens } from './credentials/access-tokens.ts'
import {
  computeCsrfToken,
  describeCredential,
  describeMember,
  keyCaller,
  sessionCaller,
  userCaller,
  visitorCaller,
  type Caller,
  type PresentedCredential,
} from './callers.ts'
import { computeHmac, parseToken, type ParsedToken } from './credentials/token.ts'
import type { VerifyUserToken } from './credentials/user-tokens.ts'

export interface AccessService {
  /** Throws AuthRequired for credentials that are malformed, unknown, revoked or expired. */
  authenticate(presented: PresentedCredential): Promise<Caller>
  /**
   * Returns the principal with the brain as its explicit context. Throws ValidationError if the id is not a UUID or
   * differs from the principal's explicit context. Throws Forbidden if the brain does not exist or the credential may
   * not access it.
   */
  withBrain(principal: Principal, brainId: string | undefined): Promise<Principal>
  /**
   * Returns those of the workspace's callers whose credential or membership has ended, or now grants other
   * permissions, groups or brains.
   */
  findChangedCallers(workspaceId: string, callers: Caller[]): Promise<Set<Caller>>
}

/** Keeps the revocation delay below five seconds. A lookup that started before the revocation may finish after it. */
const CACHE_MS = 4_500
const CACHE_ENTRIES = 10_000

interface Deps {
  db: Database
  /** HMAC key used to store tokens. */
  secret: string
  verifyUserToken: VerifyUserToken
  accessTokens: AccessTokens
}

/** A credential that was valid when the lookup was cached. */
type WorkspaceCredential = FoundCredential & { workspace_id: string }

interface CachedCredential {
  kind: StoredKind
  /** Absent for an unknown token, so that repeated guesses need no lookup. */
  found?: WorkspaceCredential
}

/** Authenticates callers. Lookups are cached for a few seconds. Concurrent calls with the same token share a lookup. */
export function createAccess({ db, secret, verifyUserToken, accessTokens }: Deps): AccessService {
  const credentials = new LRUCache<string, CachedCredential, { parsed: ParsedToken; token: string }>({
    max: CACHE_ENTRIES,
    ttl: CACHE_MS,
    fetchMethod: async (_hash, _stale, { context: { parsed, token } }) => {
      const { kind, workspace_id, prefix } = parsed
      return db.inWorkspace(workspace_id, async tx => {
        const credential = await findByPrefix(tx, prefix)
        if (!credential || !timingSafeEqual(credential.hmac, computeHmac(token, secret))) return { kind }
        await noteUse(tx, credential)
        return { kind, found: { ...credential, workspace_id } }
      })
    },
  })
  const members = new LRUCache<string, { found?: Member }, { workspaceId: string; actor: string }>({
    max: CACHE_ENTRIES,
    ttl: CACHE_MS,
    fetchMethod: async (_key, _stale, { context: { workspaceId, actor } }) => ({
      found: await db.inWorkspace(workspaceId, tx => findMember(tx, actor)),
    }),
  })
  const brains = new LRUCache<string, true>({ max: CACHE_ENTRIES, ttl: CACHE_MS })

  /** Throws AuthRequired for a token that is malformed, unknown, revoked, expired or of the wrong kind. */
  async function find(kind: StoredKind, token: string): Promise<WorkspaceCredential> {
    // Hashing is cheaper than parsing and the HMAC, which are needed only for a lookup.
    const key = hash('sha256', token, 'base64')
    const entry = credentials.get(key) ?? (await lookUp(kind, token, key))
    const { found: credential } = entry
    if (entry.kind !== kind || !credential || credential.revoked_at !== null || isPast(credential.expires_at))
      throw new AuthRequired()
    return credential
  }

  /** Throws AuthRequired for a token that is malformed or of the wrong kind. */
  async function lookUp(kind: StoredKind, token: string, key: string): Promise<CachedCredential> {
    const parsed = parseToken(token)
    if (parsed?.kind !== kind) throw new AuthRequired()
    const entry = await credentials.fetch(key, { context: { parsed, token } })
    if (!entry) throw new AuthRequired()
    return entry
  }

  async function authenticateUser(key: string, userToken: string | undefined): Promise<Caller> {
    const publishableKey = await find('publishable_key', key)
    if (userToken === undefined) throw new AuthRequired('A publishable key requires a user token as the bearer token')
    const { actor, expires_at } = await verifyUserToken(userToken)
    const { workspace_id: workspaceId } = publishableKey
    const member = await members.fetch(`${workspaceId}/${actor}`, { context: { workspaceId, actor } })
    return { ...userCaller(publishableKey, actor, member?.found), expires_at }
  }

  /** Identifies the caller, by credential kind. */
  const identify: Record<CredentialKind, (presented: PresentedCredential) => Promise<Caller>> = {
    api_key: async ({ token }) => keyCaller(await find('api_key', token)),
    session: async ({ token }) => sessionCaller(await find('session', token), computeCsrfToken(token, secret)),
    share_token: async ({ token }) => visitorCaller(await find('share_token', token)),
    publishable_key: ({ token, userToken }) => authenticateUser(token, userToken),
    access_token: ({ token, path }) => accessTokens.authenticate(token, path ?? ''),
  }

  return {
    authenticate: presented => identify[presented.kind](presented),

    async findChangedCallers(workspaceId, callers) {
      const ids = new Set(callers.flatMap(({ basis, principal }) => (basis.credential ? principal.key_id : [])))
      const actors = new Set(callers.flatMap(({ basis, principal }) => (basis.member ? principal.actor : [])))
      const [validCredentials, members] = await db.inWorkspace(workspaceId, tx =>
        Promise.all([findValidCredentials(tx, [...ids]), findMembers(tx, [...actors])]),
      )
      const bases = new Map([
        ...validCredentials.map(credential => [credential.id, describeCredential(credential)] as const),
        ...members.map(member => [member.actor, describeMember(member)] as const),
      ])
      const isChanged = (basis: string | undefined, id: string) => basis !== undefined && bases.get(id) !== basis
      return new Set(
        callers.filter(
          ({ basis, principal: { key_id, actor } }) =>
            isChanged(basis.credential, key_id) || isChanged(basis.member, actor),
        ),
      )
    },

    async withBrain(principal, brainId) {
      if (brainId === undefined) return principal
      if (!isUuid(brainId)) throw new ValidationError('The brain id must be a UUID')
      const id = brainId.toLowerCase()
      checkSame(principal, id)
      if (!canWriteBrain(principal, id)) throw new Forbidden(NOT_PERMITTED)
      const place = `${principal.workspace_id}/${id}`
      if (!brains.has(place)) {
        const there = await db.inWorkspace(principal.workspace_id, tx => findExistingBrains(tx, [id]))
        if (!there.has(id)) throw new Forbidden(NOT_PERMITTED)
        brains.set(place, true)
      }
      return inBrain(principal, id)
    },
  }
}

/** Also used for a brain that does not exist, so that callers cannot guess the ids of other workspaces and brains. */
const NOT_PERMITTED = 'The credential may not access the requested brain'

/** Throws ValidationError if the request already named a different brain. */
function checkSame({ brain }: Principal, id: string): void {
  if (!brain?.isExplicit || brain.id === id) return
  const message = `is ${id}, but the request already names brain ${brain.id}: they must match`
  throw invalidRequestError([{ pointer: '/brain_id', message }])
}

const isPast = (time: string | null) => time !== null && Date.parse(time) <= Date.now()
