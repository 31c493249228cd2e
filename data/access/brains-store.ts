import type { Tx } from '../shared/database.ts'
import { execute, requireRow, selectOne, update } from '../shared/statements.ts'
import { bigint, boolean, computed, list, type Row } from '../shared/table.ts'
import { brainsTable } from './tables.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'

const { id, name, default_map_id, created_at } = brainsTable.columns
const BRAIN = {
  id: computed(id, 'brains.id'),
  name: computed(name, 'brains.name'),
  /** Whether the brain is the workspace default, which credentials without their own default brain use. */
  is_default: computed(boolean(), 'brains.id = workspaces.default_brain_id'),
  default_map_id: computed(default_map_id, 'brains.default_map_id'),
  created_at: computed(created_at, 'brains.created_at'),
}
/** A brain of the workspace. */
export type BrainRow = Row<typeof BRAIN>

const FROM = 'brains join workspaces on workspaces.id = brains.workspace_id'

/** Returns a page of brains, oldest first. With ids, only those brains. */
export async function listBrainPage(
  tx: Tx,
  { ids, limit, offset }: { ids: string[] | null; limit: number; offset: number },
): Promise<Page<BrainRow>> {
  const conditions = createFilter()
  conditions.where('brains.id = any(?::uuid[])', ids ?? undefined)
  const query = { columns: BRAIN, from: FROM, order: 'brains.created_at, brains.id', limit, offset }
  return readPage(tx, query, conditions)
}

export async function findBrain(tx: Tx, id: string): Promise<BrainRow | undefined> {
  return selectOne(tx, BRAIN, `select ${list(BRAIN)} from ${FROM} where brains.id = $1`, [id])
}

const COUNT = { count: bigint() }

export async function countBrains(tx: Tx): Promise<number> {
  return requireRow(await selectOne(tx, COUNT, 'select count(*) from brains')).count
}

export async function renameBrain(tx: Tx, id: string, name: string): Promise<void> {
  await update(tx, brainsTable, { name }, 'id = $1', [id])
}

/** Sets or clears the default map of a brain. If a brain has none, the next map created in it becomes the default. */
export async function setDefaultMap(tx: Tx, id: string, mapId: string | null): Promise<void> {
  await update(tx, brainsTable, { default_map_id: mapId }, 'id = $1', [id])
}

/** Makes a brain the default of the transaction's workspace. */
export async function setDefaultBrain(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    `update workspaces set default_brain_id = $1 where id = current_setting('app.workspace_id')::uuid`,
    [id],
  )
}
