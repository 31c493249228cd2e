import type { Tx } from './database.ts'
import { isDuplicate } from './database-errors.ts'
import {
  ApiKeyEntity,
  BrainEntity,
  WorkspaceEntity,
  type ApiKey,
  type Brain,
  type Workspace,
} from './entities/access.ts'
import { Conflict } from '../domain/errors.ts'

/** An API key with the slug and the default brain of its workspace, and the groups of its actor. */
export interface FoundApiKey extends ApiKey {
  workspace_slug: string
  workspace_brain_id: string
  /** Groups from the actor's membership, in addition to the groups of the key. */
  member_groups: string[]
}

export type NewApiKey = Pick<
  ApiKey,
  'id' | 'name' | 'actor' | 'owner' | 'groups' | 'brain_ids' | 'default_brain_id' | 'prefix' | 'hmac' | 'expires_at'
>

/**
 * Inserts a workspace; its default brain is inserted later in the same transaction, which must be set to the id of the new
 * workspace. Throws Conflict when any workspace has the slug.
 */
export async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<void> {
  await tx.insert(WorkspaceEntity, workspace).catch((error: unknown) => {
    throw isDuplicate(error, 'workspaces_slug') ? new Conflict(`The slug "${workspace.slug}" is taken`) : error
  })
}

/** Finds a workspace in a transaction without a workspace. The setting makes the row of the slug readable. */
export async function findWorkspaceBySlug(tx: Tx, slug: string): Promise<Workspace | undefined> {
  await tx.query(`select set_config('app.workspace_slug', $1, true)`, [slug])
  return (await tx.findOneBy(WorkspaceEntity, { slug })) ?? undefined
}

/** Returns the slug of the workspace that the transaction is set to. */
export async function findOwnSlug(tx: Tx, id: string): Promise<string | undefined> {
  return (await tx.findOneBy(WorkspaceEntity, { id }))?.slug
}

export async function insertBrain(tx: Tx, brain: Brain): Promise<void> {
  await tx.insert(BrainEntity, brain)
}

/** Returns the ids that are brains of the workspace. */
export async function findExistingBrains(tx: Tx, ids: string[]): Promise<Set<string>> {
  const found = await tx.query<{ id: string }[]>('select id from brains where id = any($1::uuid[])', [ids])
  return new Set(found.map(brain => brain.id))
}

/** Replaces the groups of a person. Returns the member as it was before, if there was one. */
export async function saveMember(tx: Tx, member: Member): Promise<Member | undefined> {
  const [before] = await tx.query<Member[]>('select actor, groups from members where actor = $1 for update', [
    member.actor,
  ])
  await tx.query(
    `insert into members (actor, groups) values ($1, $2)
     on conflict (workspace_id, actor) do update set groups = excluded.groups`,
    [member.actor, member.groups],
  )
  return before
}

/** A person of the workspace, with its groups. */
interface Member {
  actor: string
  groups: string[]
}

/** Lists the people of the workspace with their groups, by name. */
export async function listMembers(tx: Tx): Promise<{ actor: string; groups: string[] }[]> {
  return tx.query('select actor, groups from members order by actor')
}

export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<void> {
  await tx.insert(ApiKeyEntity, key)
}

/** Finds a key by its prefix, also when it is revoked or expired. */
export async function findApiKey(tx: Tx, prefix: string): Promise<FoundApiKey | undefined> {
  const [found] = await tx.query<FoundApiKey[]>(
    `select api_keys.id, api_keys.name, api_keys.actor, api_keys.owner, api_keys.groups, brain_ids,
            api_keys.default_brain_id, prefix, hmac, api_keys.created_at, expires_at, revoked_at,
            workspaces.slug as workspace_slug, workspaces.default_brain_id as workspace_brain_id,
            coalesce(members.groups, '{}') as member_groups
       from api_keys
       join workspaces on workspaces.id = api_keys.workspace_id
       left join members on members.workspace_id = api_keys.workspace_id and members.actor = api_keys.actor
      where api_keys.prefix = $1`,
    [prefix],
  )
  return found
}

/** Returns the ids of those keys that were revoked, have expired or do not exist. */
export async function findEndedApiKeys(tx: Tx, ids: string[]): Promise<Set<string>> {
  const valid = await tx.query<{ id: string }[]>(
    `select id from api_keys
      where id = any($1::uuid[]) and revoked_at is null and (expires_at is null or expires_at > now())`,
    [ids],
  )
  return new Set(ids).difference(new Set(valid.map(({ id }) => id)))
}

/** Lists the keys of the workspace, oldest first. */
export async function listApiKeys(tx: Tx): Promise<ApiKey[]> {
  return tx.find(ApiKeyEntity, { order: { created_at: 'asc', id: 'asc' } })
}

/** Returns false when the key does not exist. A second revocation keeps the time of the first. */
export async function revokeApiKey(tx: Tx, id: string): Promise<boolean> {
  const [, count] = await tx.query<[unknown, number]>(
    'update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1',
    [id],
  )
  return count > 0
}
