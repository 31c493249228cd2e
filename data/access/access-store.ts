import type { Tx } from '../shared/database.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { list, pick, type Row } from '../shared/table.ts'
import { isDuplicate } from '../shared/database-errors.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import { brainsTable, workspacesTable } from './tables.ts'

const WORKSPACE = pick(workspacesTable, 'id', 'slug', 'name', 'default_brain_id')
export type Workspace = Row<typeof WORKSPACE>

const BRAIN = pick(brainsTable, 'id', 'name')
export type Brain = Row<typeof BRAIN>

/**
 * Inserts a workspace. Its default brain must have the id of the new workspace, and the caller must insert that brain
 * later in the same transaction. Throws Conflict when another workspace has the slug.
 */
export async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<void> {
  await insert(tx, workspacesTable, workspace).catch((error: unknown) => {
    throw isDuplicate(error, 'workspaces_slug') ? new Conflict(`The slug "${workspace.slug}" is taken`) : error
  })
}

/**
 * Finds a workspace in a transaction that belongs to no workspace. A transaction setting makes the row with this slug
 * readable.
 */
export async function findWorkspaceBySlug(tx: Tx, slug: string): Promise<Workspace | undefined> {
  await execute(tx, `select set_config('app.workspace_slug', $1, true)`, [slug])
  return selectOne(tx, WORKSPACE, `select ${list(WORKSPACE)} from workspaces where slug = $1`, [slug])
}

/** Returns the transaction's workspace. */
export async function findOwnWorkspace(tx: Tx, id: string): Promise<Workspace | undefined> {
  return selectOne(tx, WORKSPACE, `select ${list(WORKSPACE)} from workspaces where id = $1`, [id])
}

/** Returns the slug of the transaction's workspace. */
export async function findOwnSlug(tx: Tx, id: string): Promise<string | undefined> {
  const workspace = await selectOne(tx, pick(workspacesTable, 'slug'), 'select slug from workspaces where id = $1', [
    id,
  ])
  return workspace?.slug
}

/**
 * Serializes transactions that call this function for the same workspace, so that the caller can count rows reliably.
 */
export async function lockWorkspace(tx: Tx): Promise<void> {
  await execute(tx, `select from workspaces where id = current_setting('app.workspace_id')::uuid for no key update`)
}

export async function insertBrain(tx: Tx, brain: Brain): Promise<void> {
  await insert(tx, brainsTable, brain)
}

/** Returns those of the given ids that belong to brains in the workspace. */
export async function findExistingBrains(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await select(tx, pick(brainsTable, 'id'), 'select id from brains where id = any($1::uuid[])', [ids])
  return new Set(rows.map(brain => brain.id))
}

/** Lists up to `limit` brains of the workspace, oldest first. */
export async function listBrains(tx: Tx, limit: number): Promise<Brain[]> {
  return select(tx, BRAIN, 'select id, name from brains order by created_at, id limit $1', [limit])
}
