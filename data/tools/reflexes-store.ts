import type { Tx } from '../shared/database.ts'
import type { Brains } from '../resources/resources-store.ts'
import { resourcesTable } from '../resources/tables.ts'
import { select } from '../shared/statements.ts'
import { computed, integer, list, nullable, pick, text, texts, type Row } from '../shared/table.ts'

const OUTLINE = {
  ...pick(resourcesTable, 'id'),
  source: computed(text(), `document ->> 'source'`),
  /** The number of tools in the document. */
  count: computed(integer(), `json_array_length(document -> 'tools')`),
  /** The names of the tools in a built-in reflex. Null for reflexes from other sources. */
  names: computed(
    nullable(texts()),
    `case when document ->> 'source' = 'builtin'
          then array(select tool ->> 'name' from json_array_elements(document -> 'tools') tool) end`,
  ),
}
/** An active reflex with the number of its tools, but not the tools themselves. */
export type ReflexOutline = Row<typeof OUTLINE>

const ACTIVE = `kind = 'reflexes' and deleted_at is null and is_active
  and ($1::uuid[] is null or brain_id is null or brain_id = any($1))`

/** Lists the active reflexes, ordered by slug. */
export async function listReflexOutlines(tx: Tx, brains: Brains): Promise<ReflexOutline[]> {
  return select(tx, OUTLINE, `select ${list(OUTLINE)} from resources where ${ACTIVE} order by slug, id`, [brains])
}

/**
 * Returns the ids of active reflexes that contain a tool with this name, or whose documents do not list their tools.
 */
export async function findReflexesWithTool(tx: Tx, name: string, brains: Brains): Promise<string[]> {
  const rows = await select(
    tx,
    pick(resourcesTable, 'id'),
    `select id from resources
      where ${ACTIVE}
        and (exists (select from json_array_elements(document->'tools') tool where tool->>'name' = $2)
             or (document->>'source' in ('builtin', 'pathway', 'neuron') and json_array_length(document->'tools') = 0))
      order by slug, id limit 200`,
    [brains, name],
  )
  return rows.map(({ id }) => id)
}
