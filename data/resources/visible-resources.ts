import { HIDDEN_KINDS } from '../../domain/resources/kinds/index.ts'
import type { Brains } from './resources-store.ts'

/** Condition of resources in the tree; hidden kinds are excluded. The partial indexes of paths hold the same kinds. */
const LIVE = ['deleted_at is null', ...HIDDEN_KINDS.map(kind => `kind <> '${kind}'`)].join(' and ')

/** Up to this number, brains are queried one by one. Above it, a filter removes the few hidden resources. */
const MAX_PROBED_BRAINS = 16

/**
 * Builds SQL over the live resources that are visible with these brains: `select` returns one ordered and limited query
 * over `resources` with `condition` in its `where` and `lead` before its order or group columns. With few brains the
 * query runs once per brain and once for no brain, each as one range of `resources_by_brain_path`, so the caller must
 * order and limit the result again.
 * @param parameter the placeholder of the brains, such as `$4`; null brains take no parameter
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

/** Returns the parameter of `visibleResourcesSql`, with distinct brains. Null brains give none. */
export const visibilityParameters = (brains: Brains): string[][] => (brains === null ? [] : [[...new Set(brains)]])
