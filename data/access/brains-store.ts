import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'

/** A brain of the workspace. */
export interface BrainRow {
  id: string
  name: string
  /** Whether credentials without a default brain of their own work in it. */
  is_default: boolean
  /** The map that stakeholder routes show unless a request names one. */
  default_map_id: string | null
  created_at: string
}

const COLUMNS = `brains.id, brains.name, brains.id = workspaces.default_brain_id as is_default, brains.default_map_id,
  brains.created_at`
const FROM = 'brains join workspaces on workspaces.id = brains.workspace_id'

/** Returns a page of the brains, oldest first: all, or those with the ids. */
export async function listBrainPage(
  tx: Tx,
  { ids, limit, offset }: { ids: string[] | null; limit: number; offset: number },
): Promise<Page<BrainRow>> {
  const conditions = createFilter()
  conditions.where('brains.id = any(?::uuid[])', ids ?? undefined)
  const query = { columns: COLUMNS, from: FROM, order: 'brains.created_at, brains.id', limit, offset }
  return readPage<BrainRow>(tx, query, conditions)
}

export async function findBrain(tx: Tx, id: string): Promise<BrainRow | undefined> {
  const [found] = await tx.query<BrainRow[]>(`select ${COLUMNS} from ${FROM} where brains.id = $1`, [id])
  return found
}

export async function countBrains(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>('select count(*) from brains')
  return row?.count ?? 0
}

export async function renameBrain(tx: Tx, id: string, name: string): Promise<void> {
  await tx.query('update brains set name = $2 where id = $1', [id, name])
}

/** Sets the default map of a brain. Without one, the next map that is made in the brain becomes it. */
export async function setDefaultMap(tx: Tx, id: string, mapId: string | null): Promise<void> {
  await tx.query('update brains set default_map_id = $2 where id = $1', [id, mapId])
}

/** Makes a brain the default of the transaction's workspace. */
export async function setDefaultBrain(tx: Tx, id: string): Promise<void> {
  await tx.query(`update workspaces set default_brain_id = $1 where id = current_setting('app.workspace_id')::uuid`, [
    id,
  ])
}
