import type { Tx } from '../shared/database.ts'
import { select } from '../shared/statements.ts'
import { list, pick, type Row } from '../shared/table.ts'
import { resourcesTable } from '../resources/tables.ts'

const BOUND = pick(resourcesTable, 'id', 'slug', 'brain_id', 'document')
/** A receptor with a binding to the channel. */
export type BoundReceptor = Row<typeof BOUND>

const MAX_RECEPTORS = 1_000

/** Returns the active receptors with a binding to one of these channels, oldest first. */
export async function listBoundReceptors(tx: Tx, channels: string[]): Promise<BoundReceptor[]> {
  return select(
    tx,
    BOUND,
    `select ${list(BOUND)} from resources
      where kind = 'receptors' and deleted_at is null and is_active
        and exists (select from json_array_elements(document -> 'channels') binding where binding ->> 'channel' = any($1))
      order by created_at, id limit ${MAX_RECEPTORS}`,
    [channels],
  )
}
