import type { Tx } from './database.ts'
import type { Brains } from './resources-store.ts'

/** How many tools an active reflex may have, without reading them. */
export interface ReflexOutline {
  id: string
  source: string
  /** Of the tools that its document lists. */
  count: number
  /** Of a built-in reflex, which are few. */
  names: string[] | null
}

const ACTIVE = `kind = 'reflexes' and deleted_at is null and is_active
  and ($1::uuid[] is null or brain_id is null or brain_id = any($1))`

/** Active reflexes by slug. */
export async function listReflexOutlines(tx: Tx, brains: Brains): Promise<ReflexOutline[]> {
  return tx.query<ReflexOutline[]>(
    `select id, document->>'source' as source, json_array_length(document->'tools') as count,
            case when document->>'source' = 'builtin'
                 then array(select tool->>'name' from json_array_elements(document->'tools') tool) end as names
       from resources where ${ACTIVE} order by slug, id`,
    [brains],
  )
}

/** Ids of active reflexes that have a tool of this name, or whose documents leave its name open. */
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
