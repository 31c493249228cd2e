import type { Logger } from 'pino'
import { isForWorkspace, type Secrets } from '../../../config/secrets.ts'
import { findOwnSlug } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { type EncryptedSecret, findEncryptedSecrets, findSecretNames } from '../../../data/tools/secrets-store.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { SecretEncryption } from './encryption.ts'

/** The reason why a workspace cannot use a secret. */
export type SecretObstacle = 'no such secret' | 'not for this workspace' | 'cannot be decrypted'

export interface UsableSecret {
  value: string
  /** `host` or `host:port`, exactly as in the URLs to call. */
  hosts: string[]
}

/**
 * The secrets that workspaces may use: the operator's secrets and their own. The operator's secrets take precedence.
 */
export interface SecretSource {
  /** Returns the secret for each name, or the reason why it is unavailable. */
  find(workspaceId: string, names: string[]): Promise<Map<string, UsableSecret | SecretObstacle>>
  /** Returns the names for which the workspace has no secret. */
  findMissing(principal: Principal, names: string[]): Promise<Set<string>>
}

interface Deps {
  db: Database
  /** The operator's secrets. */
  secrets: Secrets
  encryption: SecretEncryption | undefined
  log: Logger
}

type SecretLookup = UsableSecret | SecretObstacle

export function createSecretSource({ db, secrets, encryption, log }: Deps): SecretSource {
  function decrypt(workspace_id: string, { name, hosts, ...encrypted }: EncryptedSecret): SecretLookup {
    try {
      if (!encryption) throw new Error('SECRETS_ENCRYPTION_KEYS is not set')
      return { value: encryption.decrypt(encrypted, { workspace_id, name, hosts }), hosts }
    } catch (err) {
      log.error({ err, workspace_id, secret: name }, 'decrypting a secret failed')
      return 'cannot be decrypted'
    }
  }

  const explainMissing = (name: string): SecretObstacle =>
    Object.hasOwn(secrets, name) ? 'not for this workspace' : 'no such secret'

  return {
    async find(workspaceId, names) {
      const lookups = new Map<string, SecretLookup>()
      for (const name of names) {
        const secret = findOfOperator(secrets, name, workspaceId)
        if (secret) lookups.set(name, secret)
      }
      const others = names.filter(name => !lookups.has(name))
      if (others.length === 0) return lookups
      const [slug = '', encryptedSecrets] = await db.inWorkspace(workspaceId, tx =>
        Promise.all([findOwnSlug(tx, workspaceId), findEncryptedSecrets(tx, others)]),
      )
      const secretsByName = new Map(encryptedSecrets.map(secret => [secret.name, secret]))
      for (const name of others) {
        const encrypted = secretsByName.get(name)
        const decrypted = () => (encrypted ? decrypt(workspaceId, encrypted) : explainMissing(name))
        lookups.set(name, findOfOperator(secrets, name, slug) ?? decrypted())
      }
      return lookups
    },

    async findMissing({ workspace_id, workspace_slug }, names) {
      const others = names.filter(name => !isOfOperator(secrets, name, workspace_id, workspace_slug))
      if (others.length === 0) return new Set()
      const ownNames = await db.inWorkspace(workspace_id, tx => findSecretNames(tx, others))
      return new Set(others).difference(ownNames)
    },
  }
}

/**
 * Returns whether the operator has a secret with this name for the workspace.
 * @param workspace the workspace's id and slug, or only one of them
 */
export const isOfOperator = (secrets: Secrets, name: string, ...workspace: string[]): boolean =>
  findOfOperator(secrets, name, ...workspace) !== undefined

function findOfOperator(secrets: Secrets, name: string, ...workspace: string[]): UsableSecret | undefined {
  const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined
  return secret && isForWorkspace(secret, ...workspace) ? secret : undefined
}
