import { HIDDEN_KINDS } from '../domain/resources/kinds/index.ts'
import type { Brains } from './resources-store.ts'

/** What is hidden is in no tree. The indices of places hold the kind. */
const LIVE = ['deleted_at is null', ...HIDDEN_KINDS.map(kind => `kind <> '${kind}'`)].join(' and ')

/** So few brains are looked through one by one; with more, little is hidden, and what is gets filtered out. */
const MAX_PROBED_BRAINS = 16

/**
 * SQL of the live resources in reach of a caller who sees these brains. `select` writes one ordered and limited query
 * over `resources`: it puts `condition` behind its `where`, and `lead` before the columns it orders or groups by. With
 * few brains the query runs once for each and once for what belongs to none, so that each is one range of
 * `resources_by_brain_path` and nothing hidden is read; whoever uses the result orders and limits it once more.
 * @param parameter the brains, such as `$4`; null brains take no parameter
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

/** The parameter `inReach` speaks of; each brain once. */
export const visibilityParameters = (brains: Brains): string[][] => (brains === null ? [] : [[...new Set(brains)]])
