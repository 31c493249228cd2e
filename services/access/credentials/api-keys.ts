import {
  findCredential,
  isNameOfOtherKey,
  listCredentials,
  updateCredential,
  type Credential,
} from '../../../data/access/credentials-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { lockMember } from '../../../data/access/members-store.ts'
import { KEY_PERMISSIONS } from '../../../domain/access/permissions.ts'
import { Conflict, Forbidden, NotFound, ValidationError } from '../../../domain/shared/errors.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'
import type { ApiKeyView, CreatedApiKey } from '../../../contract/access/api-key.ts'
import type { PageQuery } from '../../../contract/shared/query.ts'
import { auditCredential } from '../audit.ts'
import { getKeyActor } from '../callers.ts'
import { checkKeyGroups, checkPermissions } from '../granting.ts'
import type { Manager } from '../manager.ts'
import { checkBrainsExist, issueCredential, revokeIssued } from './issuing.ts'
import { checkKeyFields, type KeyFields } from './key-fields.ts'

/** API keys. Methods throw NotFound for ids from other workspaces, and ValidationError for invalid fields. */
export interface ApiKeysService {
  list(by: Manager, page: PageQuery): Promise<{ data: ApiKeyView[]; total: number }>
  read(by: Manager, id: string): Promise<ApiKeyView>
  /**
   * Creates a key that acts as the manager, or a service key that the manager owns. Only the operator can create keys
   * for other people. Throws Forbidden for a key for another person, and for permissions and groups that the manager
   * does not have. Throws Conflict if someone else's service key has the same name.
   */
  create(by: Manager, fields: KeyFields): Promise<CreatedApiKey>
  /**
   * Replaces the name, groups, permissions, brains and expiry of a key that the manager owns. Throws the same errors
   * as `create`.
   */
  replace(by: Manager, id: string, fields: Omit<KeyFields, 'actor' | 'owner'>): Promise<ApiKeyView>
  /**
   * Creates a key with the same rights. The old key remains valid for `overlapSeconds`. Throws the same errors as
   * `create`.
   */
  rotate(by: Manager, id: string, overlapSeconds: number): Promise<CreatedApiKey>
  revoke(by: Manager, id: string): Promise<void>
}

/** @param secret HMAC key used to store API keys */
export function createApiKeys({ db, secret }: { db: Database; secret: string }): ApiKeysService {
  const read = async (tx: Tx, id: string): Promise<Credential> => {
    const key = isUuid(id) ? await findCredential(tx, 'api_key', id) : undefined
    if (!key) throw new NotFound(`API key ${id}`)
    return key
  }
  const create = async (tx: Tx, by: Manager, checked: CheckedFields): Promise<CreatedApiKey> => {
    await checkFields(tx, by, checked)
    const person = checked.actor ?? checked.owner
    // If the member is being removed concurrently, the removal waits for the new key and then revokes it.
    if (person !== null && !(await lockMember(tx, person)))
      throw new ValidationError(`${person} is not a member of the workspace`)
    const { credential, token } = await issueCredential(tx, secret, by, { kind: 'api_key', ...checked })
    return { ...presentApiKey(credential), api_key: token }
  }

  return {
    async list({ workspace_id }, page) {
      const { rows, total } = await db.inWorkspace(workspace_id, tx => listCredentials(tx, 'api_key', page))
      return { data: rows.map(presentApiKey), total }
    },

    read: async ({ workspace_id }, id) => presentApiKey(await db.inWorkspace(workspace_id, tx => read(tx, id))),

    async create(by, fields) {
      const checked = nameOwner(by, checkKeyFields(fields))
      return db.inWorkspace(by.workspace_id, tx => create(tx, by, checked))
    },

    async replace(by, id, fields) {
      const { actor: _actor, owner: _owner, ...checked } = checkKeyFields(fields)
      return db.inWorkspace(by.workspace_id, async tx => {
        const before = await read(tx, id)
        checkOwn(by, before)
        await checkFields(tx, by, { ...before, ...checked })
        if (!(await updateCredential(tx, 'api_key', id, checked))) throw revokedKeyError()
        const after = await read(tx, id)
        await auditCredential(tx, by, 'update', { before, after })
        return presentApiKey(after)
      })
    },

    rotate: (by, id, overlapSeconds) =>
      db.inWorkspace(by.workspace_id, async tx => {
        const old = await read(tx, id)
        checkOwn(by, old)
        const end = new Date(Date.now() + overlapSeconds * 1_000).toISOString()
        const expires_at = old.expires_at !== null && old.expires_at < end ? old.expires_at : end
        if (!(await updateCredential(tx, 'api_key', id, { expires_at }))) throw revokedKeyError()
        const { name, actor, owner, groups, permissions, brain_ids, default_brain_id } = old
        const same = { name, actor, owner, groups, permissions, brain_ids, default_brain_id }
        const newKey = await create(tx, by, { ...same, expires_at: old.expires_at })
        await auditCredential(tx, by, 'rotate', { before: old, after: await read(tx, id) }, { next: newKey.id })
        return newKey
      }),

    revoke: (by, id) => db.inWorkspace(by.workspace_id, tx => revokeIssued(tx, by, 'api_key', id)),
  }
}

type CheckedFields = ReturnType<typeof checkKeyFields>

/** Returns the fields with the new key's owner set. Throws Forbidden if the key is for another person. */
function nameOwner(by: Manager, fields: CheckedFields): CheckedFields {
  if (!by.permissions) return fields
  if (fields.actor !== null && !(by.is_user && fields.actor === by.actor))
    throw new Forbidden(
      `You cannot create a key that acts as ${fields.actor}: only ${fields.actor} can create it, after signing in`,
    )
  if (fields.actor === null && by.person.startsWith('key:'))
    throw new Forbidden('This API key has no owner, so it cannot create keys. Use a key that has an owner')
  return { ...fields, owner: fields.actor === null ? by.person : null }
}

/** Throws Forbidden for another person's key, because changing or rotating it would allow acting as that person. */
function checkOwn(by: Manager, key: Credential): void {
  if (!by.permissions || key.owner === by.person || (by.is_user && key.actor === by.actor)) return
  const person = key.actor ?? key.owner
  throw new Forbidden(
    person === null
      ? 'This key has no owner: only an operator can change or rotate it. You can revoke it'
      : `This key belongs to ${person}: only ${person} can change or rotate it. You can revoke it`,
  )
}

/**
 * Throws Forbidden for rights that the manager cannot grant, and Conflict if someone else's service key has the same
 * name.
 */
async function checkFields(
  tx: Tx,
  by: Manager,
  fields: Pick<Credential, 'actor' | 'owner' | 'name' | 'groups' | 'permissions' | 'brain_ids' | 'default_brain_id'>,
): Promise<void> {
  checkPermissions(by, fields.permissions ?? KEY_PERMISSIONS)
  checkKeyGroups(by, fields.groups)
  await checkBrainsExist(tx, fields)
  // A service key acts under its name, which appears among assignees and in the audit log.
  if (by.permissions && fields.actor === null && (await isNameOfOtherKey(tx, fields.name, fields.owner)))
    throw new Conflict(`Someone else's key already uses the name "${fields.name}". Choose another name`)
}

const revokedKeyError = () => new Conflict('The API key is revoked')

const presentApiKey = (key: Credential): ApiKeyView => ({
  id: key.id,
  name: key.name,
  actor: getKeyActor(key),
  owner: key.owner,
  groups: key.groups,
  permissions: key.permissions,
  brain_ids: key.brain_ids,
  default_brain_id: key.default_brain_id,
  prefix: key.prefix,
  created_by: key.created_by,
  created_at: key.created_at,
  expires_at: key.expires_at,
  revoked_at: key.revoked_at,
  last_used_at: key.last_used_at,
})
