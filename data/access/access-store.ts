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
 * Inserts a workspace; its default brain is inserted later in the same transaction, which must be set to the id of the new
 * workspace. Throws Conflict when any workspace has the slug.
 */
export async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<void> {
  await insert(tx, workspacesTable, workspace).catch((error: unknown) => {
    throw isDuplicate(error, 'workspaces_slug') ? new Conflict(`The slug "${workspace.slug}" is taken`) : error
  })
}

/** Finds a workspace in a transaction without a workspace. The setting makes the row of the slug readable. */
export async function findWorkspaceBySlug(tx: Tx, slug: string): Promise<Workspace | undefined> {
  await execute(tx, `select set_config('app.workspace_slug', $1, true)`, [slug])
  return selectOne(tx, WORKSPACE, `select ${list(WORKSPACE)} from workspaces where slug = $1`, [slug])
}

/** Returns the slug of the workspace that the transaction is set to. */
export async function findOwnSlug(tx: Tx, id: string): Promise<string | undefined> {
  const found = await selectOne(tx, pick(workspacesTable, 'slug'), 'select slug from workspaces where id = $1', [id])
  return found?.slug
}

/** Makes other transactions that call this for the workspace wait until this one ends, so that rows can be counted. */
export async function lockWorkspace(tx: Tx): Promise<void> {
  await execute(tx, `select from workspaces where id = current_setting('app.workspace_id')::uuid for no key update`)
}

export async function insertBrain(tx: Tx, brain: Brain): Promise<void> {
  await insert(tx, brainsTable, brain)
}

/** Returns the ids that are brains of the workspace. */
export async function findExistingBrains(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await select(tx, pick(brainsTable, 'id'), 'select id from brains where id = any($1::uuid[])', [ids])
  return new Set(rows.map(brain => brain.id))
}

/** Lists the first brains of the workspace, oldest first. */
export async function listBrains(tx: Tx, limit: number): Promise<Brain[]> {
  return select(tx, BRAIN, 'select id, name from brains order by created_at, id limit $1', [limit])
}
