import { listCredentials, type Credential } from '../../../data/access/credentials-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import type { Permission } from '../../../domain/access/permissions.ts'
import { SHARE_RIGHTS, type SharedTarget, type ShareRight } from '../../../domain/access/share-rights.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { ShareTokenView, ShareTokenFields, CreatedShareToken } from '../../../contract/access/share-token.ts'
import type { PageQuery } from '../../../contract/shared/query.ts'
import { getTrace } from '../../agents/conversations/traces.ts'
import { getHead } from '../../resources/finding.ts'
import { checkPermissions } from '../granting.ts'
import type { Caller } from '../callers.ts'
import type { Manager } from '../manager.ts'
import { issueCredential, revokeIssued } from './issuing.ts'
import { checkExpiry, checkName } from './key-fields.ts'

/** Tokens that share one receptor or one thread with people who have no account. */
export interface ShareTokensService {
  list(by: Manager, page: PageQuery): Promise<{ data: ShareTokenView[]; total: number }>
  /**
   * Throws NotFound for a target that the caller cannot see, Forbidden for rights that the caller does not have, and
   * ValidationError for invalid fields.
   */
  create(caller: Caller, fields: ShareTokenFields): Promise<CreatedShareToken>
  /** Throws NotFound. */
  revoke(by: Manager, id: string): Promise<void>
}

/** The permission that a token's creator needs for each right. */
const NEEDED: Record<SharedTarget, Record<ShareRight, Permission>> = {
  receptor: { read: 'conversations:read', write: 'jobs:start' },
  trace: { read: 'conversations:read', write: 'conversations:write' },
}
const DEFAULT_DAYS = 30
const DAY_MS = 86_400_000

/** @param secret HMAC key used to store tokens */
export function createShareTokens({ db, secret }: { db: Database; secret: string }): ShareTokensService {
  return {
    async list({ workspace_id }, page) {
      const { rows, total } = await db.inWorkspace(workspace_id, tx => listCredentials(tx, 'share_token', page))
      return { data: rows.map(presentShareToken), total }
    },

    async create({ principal }, fields) {
      const name = checkName(fields.name)
      const expires_at = checkExpiry(fields.expires_at) ?? new Date(Date.now() + DEFAULT_DAYS * DAY_MS).toISOString()
      if (Date.parse(expires_at) <= Date.now()) throw new ValidationError('The expiry must be in the future')
      const { type } = fields.target
      const rights = [...new Set(fields.rights ?? SHARE_RIGHTS)]
      checkPermissions(
        principal,
        rights.map(right => NEEDED[type][right]),
      )
      return db.inWorkspace(principal.workspace_id, async tx => {
        const { id: target_id, brain_id } = await findTarget(tx, principal, fields.target)
        const { credential, token } = await issueCredential(tx, secret, principal, {
          kind: 'share_token',
          name,
          target_type: type,
          target_id,
          permissions: [...principal.permissions],
          rights,
          brain_ids: brain_id === null ? null : [brain_id],
          max_uses: fields.max_uses ?? null,
          allowed_origins: [...new Set(fields.allowed_origins)],
          expires_at,
        })
        return { id: credential.id, name, share_token: token, expires_at }
      })
    },

    revoke: (by, id) => db.inWorkspace(by.workspace_id, tx => revokeIssued(tx, by, 'share_token', id)),
  }
}

async function findTarget(
  tx: Tx,
  principal: Principal,
  { type, id }: ShareTokenFields['target'],
): Promise<{ id: string; brain_id: string | null }> {
  if (type === 'trace') return getTrace(tx, principal, id)
  return getHead(tx, principal, { kind: 'receptors', idOrSlug: id })
}

const presentShareToken = (token: Credential): ShareTokenView => ({
  id: token.id,
  name: token.name,
  target: { type: token.target_type ?? 'receptor', id: token.target_id ?? '' },
  rights: token.rights ?? [],
  max_uses: token.max_uses,
  uses: token.uses,
  allowed_origins: token.allowed_origins ?? [],
  prefix: token.prefix,
  created_by: token.created_by,
  created_at: token.created_at,
  expires_at: token.expires_at,
  revoked_at: token.revoked_at,
  last_used_at: token.last_used_at,
})
