import { HIDDEN_KINDS } from '../../domain/resources/kinds/index.ts'
import type { Brains } from './resources-store.ts'

/**
 * The condition for live resources of kinds that the tree includes. The partial indexes on paths cover the same
 * kinds.
 */
const LIVE = ['deleted_at is null', ...HIDDEN_KINDS.map(kind => `kind <> '${kind}'`)].join(' and ')

/**
 * Up to this number, each brain is queried separately. Above it, one query reads all brains and filters out the few
 * hidden resources.
 */
const MAX_PROBED_BRAINS = 16

/**
 * Builds SQL that reads the live resources visible with these brains. `select` returns one ordered and limited query
 * over `resources`. `condition` is added to its `where` clause, and `lead` precedes its order or group columns. With
 * few brains, the query runs once per brain and once without a brain, each time as one range scan of
 * `resources_by_brain_path`. The caller must therefore order and limit the combined result again.
 * @param parameter the placeholder for the brains, such as `$4`; null brains need no parameter
 */
export function visibleResourcesSql(
  brains: Brains,
  parameter: string,
  select: (condition: string, lead: string) => string,
): string {
  if (brains === null) return select(LIVE, '')
  if (brains.length > MAX_PROBED_BRAINS)
    return select(`${LIVE} and (brain_id is null or brain_id = any(${parameter}::uuid[]))`, '')
  return `
    select of_brain.* from unnest(${parameter}::uuid[]) as reach (brain),
      lateral (${select(`${LIVE} and brain_id = reach.brain`, 'brain_id, ')}) of_brain
    union all (${select(`${LIVE} and brain_id is null`, 'brain_id, ')})`
}

/** Returns the parameter for `visibleResourcesSql`: the distinct brains, or none if the brains are null. */
export const visibilityParameters = (brains: Brains): string[][] => (brains === null ? [] : [[...new Set(brains)]])
