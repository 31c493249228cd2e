import { listCredentials, type Credential } from '../../../data/access/credentials-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import type { PublishableKeyView, CreatedPublishableKey } from '../../../contract/access/publishable-key.ts'
import type { PageQuery } from '../../../contract/shared/query.ts'
import type { Manager } from '../manager.ts'
import { checkBrainsExist, issueCredential, revokeIssued } from './issuing.ts'
import { checkBrains, checkName } from './key-fields.ts'

/**
 * API keys for browser apps. The key identifies the workspace, and the user token sent with it determines the rights.
 */
export interface PublishableKeysService {
  list(by: Manager, page: PageQuery): Promise<{ data: PublishableKeyView[]; total: number }>
  /** Throws ValidationError for invalid fields. */
  create(
    by: Manager,
    fields: { name: string; brain_ids?: string[]; default_brain_id?: string },
  ): Promise<CreatedPublishableKey>
  /** Throws NotFound. */
  revoke(by: Manager, id: string): Promise<void>
}

/** @param secret HMAC key used to store keys */
export function createPublishableKeys({ db, secret }: { db: Database; secret: string }): PublishableKeysService {
  return {
    async list({ workspace_id }, page) {
      const { rows, total } = await db.inWorkspace(workspace_id, tx => listCredentials(tx, 'publishable_key', page))
      return { data: rows.map(presentPublishableKey), total }
    },

    async create(by, fields) {
      const name = checkName(fields.name)
      const brains = checkBrains(fields)
      return db.inWorkspace(by.workspace_id, async tx => {
        await checkBrainsExist(tx, brains)
        const { credential, token } = await issueCredential(tx, secret, by, {
          kind: 'publishable_key',
          name,
          ...brains,
        })
        return { id: credential.id, name, publishable_key: token }
      })
    },

    revoke: (by, id) => db.inWorkspace(by.workspace_id, tx => revokeIssued(tx, by, 'publishable_key', id)),
  }
}

const presentPublishableKey = (key: Credential): PublishableKeyView => ({
  id: key.id,
  name: key.name,
  brain_ids: key.brain_ids,
  default_brain_id: key.default_brain_id,
  prefix: key.prefix,
  created_by: key.created_by,
  created_at: key.created_at,
  revoked_at: key.revoked_at,
  last_used_at: key.last_used_at,
})
