import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { findApiKey, findEndedApiKeys, findExistingBrains, type FoundApiKey } from '../../data/access-store.ts'
import type { Database } from '../../data/database.ts'
import { isUuid } from '../../data/uuid.ts'
import { AuthRequired, Forbidden, ValidationError } from '../../domain/errors.ts'
import type { BrainContext, Principal } from '../../domain/principal.ts'
import { computeHmac, parseApiKey, type ParsedKey } from './api-key.ts'
import { canWriteBrain, inBrain } from './brains.ts'
import type { AccessService } from './types.ts'

/** A revoked key may be accepted for this long. */
const CACHE_MS = 5_000
const CACHE_ENTRIES = 10_000

interface Lookup {
  /** Undefined for an unknown key, so that a repeated guess costs no look-up. */
  key?: FoundApiKey
}

/**
 * Authenticates callers. Look-ups are cached for five seconds; concurrent calls with one key share a look-up.
 * @param secret key of the HMAC under which API keys are stored
 */
export function createAccess({ db, secret }: { db: Database; secret: string }): AccessService {
  const keys = new LRUCache<string, Lookup, { parsed: ParsedKey; hmac: Buffer }>({
    max: CACHE_ENTRIES,
    ttl: CACHE_MS,
    fetchMethod: async (_hmac, _stale, { context: { parsed, hmac } }) => {
      const key = await db.inWorkspace(parsed.workspace_id, tx => findApiKey(tx, parsed.prefix))
      return key && timingSafeEqual(key.hmac, hmac) ? { key } : {}
    },
  })
  const brains = new LRUCache<string, true>({ max: CACHE_ENTRIES, ttl: CACHE_MS })

  return {
    async authenticate(bearer) {
      const parsed = bearer === undefined ? undefined : parseApiKey(bearer)
      if (bearer === undefined || !parsed) throw new AuthRequired()
      const hmac = computeHmac(bearer, secret)
      const found = await keys.fetch(hmac.toString('base64'), { context: { parsed, hmac } })
      if (!found?.key || found.key.revoked_at !== null || isPast(found.key.expires_at)) throw new AuthRequired()
      return toPrincipal(parsed.workspace_id, found.key)
    },

    findEndedKeys: (workspaceId, keyIds) => db.inWorkspace(workspaceId, tx => findEndedApiKeys(tx, keyIds)),

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

/** The same for a brain that does not exist, so that ids of other workspaces and brains cannot be guessed. */
const NOT_PERMITTED = 'The API key may not access the brain that the request names'

/** Throws ValidationError when the request has named another brain before. */
function checkSame({ brain }: Principal, id: string): void {
  if (!brain?.isExplicit || brain.id === id) return
  const message = `names the brain ${id}, and the request names ${brain.id}: they must agree`
  throw new ValidationError(`Invalid request: /brain_id ${message}`, [{ pointer: '/brain_id', message }])
}

const isPast = (time: string | null) => time !== null && Date.parse(time) <= Date.now()

function toPrincipal(workspaceId: string, key: FoundApiKey): Principal {
  return {
    workspace_id: workspaceId,
    workspace_slug: key.workspace_slug,
    key_id: key.id,
    actor: toActor(key),
    person: key.owner ?? toActor(key),
    groups: [...new Set([...key.groups, ...key.member_groups])],
    brain_ids: key.brain_ids,
    brain: findDefaultBrain(key),
  }
}

/**
 * Returns the brain in which a key works unless a request names another one: the key's own default, the only brain that it
 * is bound to, or the default of the workspace. Undefined when the key may not access that one.
 */
function findDefaultBrain({ default_brain_id, brain_ids, workspace_brain_id }: FoundApiKey): BrainContext | undefined {
  const [only, ...others] = brain_ids ?? []
  const id = default_brain_id ?? (only !== undefined && others.length === 0 ? only : workspace_brain_id)
  return brain_ids === null || brain_ids.includes(id) ? { id, isExplicit: false } : undefined
}

/** A bound key acts as its person, an unbound one as itself. */
export const toActor = (key: { actor: string | null; name: string }): string => key.actor ?? `key:${key.name}`
