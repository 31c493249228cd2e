import { lockWorkspace } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { listWorkspaceIds } from '../../../data/search/search-outbox-store.ts'
import { findSecretsOfOtherKeys, replaceEncrypted } from '../../../data/tools/secrets-store.ts'
import type { SecretEncryption } from './encryption.ts'

/**
 * Re-encrypts all secrets with the active key, so that other keys can be removed. Returns the number of re-encrypted
 * secrets. Throws if a secret cannot be decrypted. Workspaces processed before the error stay re-encrypted.
 */
export async function reencryptSecrets(db: Database, encryption: SecretEncryption): Promise<number> {
  let count = 0
  for (const id of await db.system(tx => listWorkspaceIds(tx))) count += await reencryptWorkspace(db, encryption, id)
  return count
}

const reencryptWorkspace = (db: Database, encryption: SecretEncryption, workspace_id: string): Promise<number> =>
  db.inWorkspace(workspace_id, async tx => {
    await lockWorkspace(tx)
    const secrets = await findSecretsOfOtherKeys(tx, encryption.keyId)
    await Promise.all(
      secrets.map(secret => {
        const context = { workspace_id, name: secret.name, hosts: secret.hosts }
        const encrypted = encryption.encrypt(encryption.decrypt(secret, context), context)
        return replaceEncrypted(tx, { ...secret, ...encrypted })
      }),
    )
    return secrets.length
  })
