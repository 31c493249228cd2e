import type { Secrets } from '../../../config/secrets.ts'
import { lockWorkspace } from '../../../data/access/access-store.ts'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import {
  countSecrets,
  deleteSecret,
  findSecret,
  listSecrets,
  saveSecret,
  type Secret,
} from '../../../data/tools/secrets-store.ts'
import { Conflict, NotFound, Unavailable } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { SecretView } from '../../../contract/tools/secret.ts'
import type { PageQuery } from '../../../contract/shared/query.ts'
import type { SecretEncryption } from './encryption.ts'
import { isOfOperator } from './secret-source.ts'

/** Workspace secrets, which tools and `http` nodes reference by name. */
export interface SecretsService {
  list(principal: Principal, page: PageQuery): Promise<{ data: SecretView[]; total: number }>
  /**
   * Creates a secret, or replaces its value and hosts. Throws Conflict if the operator has a secret with this name
   * for the workspace, or if the workspace already has the maximum number of secrets. Throws Unavailable if no key is
   * configured.
   */
  save(principal: Principal, name: string, fields: { value: string; hosts: string[] }): Promise<SecretView>
  /** Throws NotFound. */
  remove(principal: Principal, name: string): Promise<void>
}

const MAX_SECRETS = 100

interface Deps {
  db: Database
  /** The operator's secrets. */
  secrets: Secrets
  encryption: SecretEncryption | undefined
}

export function createSecretsService({ db, secrets, encryption }: Deps): SecretsService {
  const isOverridden = ({ workspace_id, workspace_slug }: Principal, name: string): boolean =>
    isOfOperator(secrets, name, workspace_id, workspace_slug)

  const present = (principal: Principal, secret: Secret): SecretView => ({
    ...secret,
    is_overridden: isOverridden(principal, secret.name),
  })

  return {
    async list(principal, page) {
      const { rows, total } = await db.inWorkspace(principal.workspace_id, tx => listSecrets(tx, page))
      return { data: rows.map(secret => present(principal, secret)), total }
    },

    async save(principal, name, { value, hosts }) {
      const { workspace_id, actor } = principal
      if (!encryption)
        throw new Unavailable('Secrets cannot be stored: no key is configured (SECRETS_ENCRYPTION_KEYS)', {
          retryAfter: undefined,
        })
      if (isOverridden(principal, name))
        throw new Conflict(`The operator already has a secret "${name}" for this workspace`)
      const encrypted = encryption.encrypt(value, { workspace_id, name, hosts })
      return db.inWorkspace(workspace_id, async tx => {
        await lockWorkspace(tx)
        const before = await findSecret(tx, name)
        if (!before && (await countSecrets(tx)) >= MAX_SECRETS)
          throw new Conflict(`The workspace has ${MAX_SECRETS} secrets, which is the maximum`)
        const after = await saveSecret(tx, { name, hosts, ...encrypted, actor })
        const action = before ? 'secret.update' : 'secret.create'
        await writeAudit(tx, principal, { action, target: name, before, after })
        return present(principal, after)
      })
    },

    remove: (principal, name) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        await lockWorkspace(tx)
        const before = await findSecret(tx, name)
        if (!before) throw new NotFound(`Secret "${name}"`)
        await deleteSecret(tx, name)
        await writeAudit(tx, principal, { action: 'secret.delete', target: name, before })
      }),
  }
}
