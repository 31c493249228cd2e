import type { Tx } from '../shared/database.ts'
import type { Brains } from '../resources/resources-store.ts'

/** The number of tools of an active reflex, without the tools. */
export interface ReflexOutline {
  id: string
  source: string
  /** The number of tools in its document. */
  count: number
  /** The names of the tools of a built-in reflex; null for other sources. */
  names: string[] | null
}

const ACTIVE = `kind = 'reflexes' and deleted_at is null and is_active
  and ($1::uuid[] is null or brain_id is null or brain_id = any($1))`

/** Lists the active reflexes by slug. */
export async function listReflexOutlines(tx: Tx, brains: Brains): Promise<ReflexOutline[]> {
  return tx.query<ReflexOutline[]>(
    `select id, document->>'source' as source, json_array_length(document->'tools') as count,
            case when document->>'source' = 'builtin'
                 then array(select tool->>'name' from json_array_elements(document->'tools') tool) end as names
       from resources where ${ACTIVE} order by slug, id`,
    [brains],
  )
}

/** Returns ids of active reflexes that have a tool of this name, or whose documents do not list their tools. */
export async function findReflexesWithTool(tx: Tx, name: string, brains: Brains): Promise<string[]> {
  const found = await tx.query<{ id: string }[]>(
    `select id from resources
      where ${ACTIVE}
        and (exists (select from json_array_elements(document->'tools') tool where tool->>'name' = $2)
             or (document->>'source' in ('builtin', 'pathway', 'neuron') and json_array_length(document->'tools') = 0))
      order by slug, id limit 200`,
    [brains, name],
  )
  return found.map(({ id }) => id)
}
