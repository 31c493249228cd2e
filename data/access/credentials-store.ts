import type { StoredKind } from '../../domain/access/permissions.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insertReturning, requireRow, select, selectOne, update } from '../shared/statements.ts'
import { boolean, computed, list, nullable, omit, pick, texts, type Row } from '../shared/table.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { listPeopleBehind } from '../people/people-store.ts'
import { credentialsTable, membersTable, workspacesTable } from './tables.ts'

export const CREDENTIAL = omit(credentialsTable, 'workspace_id')
export type Credential = Row<typeof CREDENTIAL>

/** Columns from the credential's workspace and from the membership of the person behind it. */
const SURROUNDINGS = {
  workspace_slug: computed(workspacesTable.columns.slug, 'workspaces.slug'),
  workspace_brain_id: computed(workspacesTable.columns.default_brain_id, 'workspaces.default_brain_id'),
  /** The role of the actor, or of the owner of a service key. Null if that person is not a member. */
  member_role: computed(nullable(membersTable.columns.role), 'members.role'),
  /** Groups from the actor's membership, in addition to the credential's own groups. */
  member_groups: computed(
    texts(),
    `case when credentials.actor is null then '{}' else coalesce(members.groups, '{}') end`,
  ),
}
/** Joins the membership of the person behind a credential. */
const WITH_MEMBER = `
  left join members on members.workspace_id = credentials.workspace_id
                   and members.actor = coalesce(credentials.actor, credentials.owner)`
const CREDENTIAL_ENTRY = { ...CREDENTIAL, ...SURROUNDINGS }

/** A credential with its workspace's slug and default brain, and with the membership of the person behind it. */
export interface FoundCredential extends Row<typeof CREDENTIAL_ENTRY> {
  /**
   * The owner, the creator (who has seen the token), and everyone behind them. Empty when only the user has seen the
   * token.
   */
  makers: string[]
}

type RequiredColumns = 'id' | 'kind' | 'name' | 'prefix' | 'hmac'
type GeneratedColumns = 'uses' | 'created_at' | 'revoked_at' | 'last_used_at'
export type NewCredential = Pick<Credential, RequiredColumns> &
  Partial<Omit<Credential, RequiredColumns | GeneratedColumns>>

/** Inserts a credential and returns its row. */
export async function insertCredential(tx: Tx, credential: NewCredential): Promise<Credential> {
  return requireRow(await insertReturning(tx, credentialsTable, credential, CREDENTIAL))
}

/** Finds a credential by its prefix, even if it is revoked or expired. */
export async function findByPrefix(tx: Tx, prefix: string): Promise<FoundCredential | undefined> {
  const credential = await selectOne(
    tx,
    CREDENTIAL_ENTRY,
    `select ${list(CREDENTIAL, 'credentials')}, ${list(SURROUNDINGS)}
       from credentials
       join workspaces on workspaces.id = credentials.workspace_id
       ${WITH_MEMBER}
      where credentials.prefix = $1`,
    [prefix],
  )
  if (!credential) return undefined
  const makers = PREFIXED_KINDS.has(credential.kind)
    ? [credential.owner, credential.created_by].filter(name => name !== null)
    : []
  return { ...credential, makers: await listPeopleBehind(tx, makers) }
}

/** Credential kinds whose token is shown to the creator. */
const PREFIXED_KINDS = new Set<StoredKind>(['api_key', 'share_token', 'hook_token'])

/** The minimum interval between two updates of `last_used_at`. */
const USE_INTERVAL_MS = 60_000

/** Updates `last_used_at`, unless it was updated within the last minute. */
export async function noteUse(tx: Tx, { id, last_used_at }: Pick<Credential, 'id' | 'last_used_at'>): Promise<void> {
  if (last_used_at !== null && Date.parse(last_used_at) > Date.now() - USE_INTERVAL_MS) return
  await execute(tx, 'update credentials set last_used_at = now() where id = $1', [id])
}

export async function findCredential(tx: Tx, kind: StoredKind, id: string): Promise<Credential | undefined> {
  return selectOne(tx, CREDENTIAL, `select ${list(CREDENTIAL)} from credentials where kind = $1 and id = $2`, [
    kind,
    id,
  ])
}

const GRANTED = pick(credentialsTable, 'id', 'permissions', 'groups', 'brain_ids')
const GRANTING = { member_role: SURROUNDINGS.member_role, member_groups: SURROUNDINGS.member_groups }
/** The fields of a credential that decide what its caller may do. */
export type GrantingCredential = Row<typeof GRANTED & typeof GRANTING>

/** Returns those of the given credentials that are neither revoked nor expired. */
export async function findValidCredentials(tx: Tx, ids: string[]): Promise<GrantingCredential[]> {
  return select(
    tx,
    { ...GRANTED, ...GRANTING },
    `select ${list(GRANTED, 'credentials')}, ${list(GRANTING)} from credentials ${WITH_MEMBER}
      where credentials.id = any($1::uuid[]) and revoked_at is null and (expires_at is null or expires_at > now())`,
    [ids],
  )
}

/** Returns a page of credentials of one kind, oldest first. */
export async function listCredentials(
  tx: Tx,
  kind: StoredKind,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<Credential>> {
  const filter = createFilter()
  filter.where('kind = ?', kind)
  const query = { columns: CREDENTIAL, from: 'credentials', order: 'created_at, id', limit, offset }
  return readPage(tx, query, filter)
}

/** Selects a credential by kind and id, unless it is revoked. */
const LIVE = 'kind = $1 and id = $2 and revoked_at is null'

/** Replaces the given fields of a credential. Returns false when it does not exist or is revoked. */
export async function updateCredential(
  tx: Tx,
  kind: StoredKind,
  id: string,
  fields: Partial<
    Pick<Credential, 'name' | 'groups' | 'permissions' | 'brain_ids' | 'default_brain_id' | 'expires_at'>
  >,
): Promise<boolean> {
  const updated = await update(tx, credentialsTable, fields, LIVE, [kind, id])
  return updated === 1
}

/** Revokes a credential. Returns false when it does not exist or is already revoked. Safe under concurrency. */
export async function revokeCredential(tx: Tx, kind: StoredKind, id: string): Promise<boolean> {
  const revoked = await execute(tx, `update credentials set revoked_at = now() where ${LIVE}`, [kind, id])
  return revoked === 1
}

/** Revokes all sessions of a person. */
export async function revokeSessionsOf(tx: Tx, actor: string): Promise<void> {
  await execute(
    tx,
    `update credentials set revoked_at = now() where actor = $1 and revoked_at is null and kind = 'session'`,
    [actor],
  )
}

/** Whether a service key with another owner uses or has used this name. */
export async function isNameOfOtherKey(tx: Tx, name: string, owner: string | null): Promise<boolean> {
  const row = await selectOne(
    tx,
    { any: boolean() },
    `select exists (select from credentials
                     where kind = 'api_key' and actor is null and name = $1 and owner is distinct from $2) as any`,
    [name, owner],
  )
  return row?.any === true
}

/**
 * Counts one use of a credential. Returns false when the credential is revoked, expired or used up. Safe under
 * concurrency.
 */
export async function countUse(tx: Tx, id: string): Promise<boolean> {
  const count = await execute(
    tx,
    `update credentials set uses = uses + 1
      where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
        and (max_uses is null or uses < max_uses)`,
    [id],
  )
  return count > 0
}

/** Lists the valid tokens for a hook, latest first. */
export async function listHookTokens(tx: Tx, triggerId: string): Promise<Credential[]> {
  return select(
    tx,
    CREDENTIAL,
    `select ${list(CREDENTIAL)} from credentials
      where kind = 'hook_token' and target_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
      order by created_at desc, id desc`,
    [triggerId],
  )
}
