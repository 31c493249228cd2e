import type { Tx } from '../shared/database.ts'
import { isDuplicate } from '../shared/database-errors.ts'
import { BrainEntity, WorkspaceEntity, type Brain, type Workspace } from '../shared/entities/access.ts'
import { Conflict } from '../../domain/shared/errors.ts'

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

/** Makes other transactions that call this for the workspace wait until this one ends, so that rows can be counted. */
export async function lockWorkspace(tx: Tx): Promise<void> {
  await tx.query(`select from workspaces where id = current_setting('app.workspace_id')::uuid for no key update`)
}

export async function insertBrain(tx: Tx, brain: Brain): Promise<void> {
  await tx.insert(BrainEntity, brain)
}

/** Returns the ids that are brains of the workspace. */
export async function findExistingBrains(tx: Tx, ids: string[]): Promise<Set<string>> {
  const found = await tx.query<{ id: string }[]>('select id from brains where id = any($1::uuid[])', [ids])
  return new Set(found.map(brain => brain.id))
}

/** Lists the first brains of the workspace, oldest first. */
export async function listBrains(tx: Tx, limit: number): Promise<{ id: string; name: string }[]> {
  return tx.query('select id, name from brains order by created_at, id limit $1', [limit])
}
