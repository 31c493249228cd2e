import type { Tx } from '../../../data/shared/database.ts'
import { listPeopleOfCauses } from '../../../data/people/people-store.ts'
import { type DueTriggerEvent, findLastChange, findStartOfRun } from '../../../data/triggers/trigger-events-store.ts'

/** Maximum length of a chain of triggers that fire because of each other's runs. */
export const MAX_CHAIN_LENGTH = 5

/** Maximum number of parent runs to follow back from a run. */
const MAX_STEPS = 10

const INDEXED = 'indexed:'

/** Builds the cause of an index event. The index reports a change later, outside the run that made the change. */
export const buildIndexedCause = (resourceId: string): string => `${INDEXED}${resourceId}`

/** An event's origin from a trigger's point of view. */
export interface Origin {
  /** Whether the trigger's own run caused the event. */
  isOwn: boolean
  /** Number of triggers that led to the event. */
  depth: number
}

/**
 * Finds the origin of merged events: the path with the fewest triggers. The trigger's own runs are ignored unless
 * there are no other runs.
 */
export async function findOrigin(tx: Tx, triggerId: string, causes: (string | null)[]): Promise<Origin> {
  const origins: Origin[] = []
  for (const cause of new Set(causes)) origins.push(await trace(tx, triggerId, cause))
  const others = origins.filter(({ isOwn }) => !isOwn)
  const [nearest = OUTSIDE] = (others.length > 0 ? others : origins).sort((origin, other) => origin.depth - other.depth)
  return nearest
}

/** Returns everyone behind the causes of merged events. */
export async function listPeople(tx: Tx, { causes, subjects }: Pick<DueTriggerEvent, 'causes' | 'subjects'>) {
  const ids = await Promise.all([...new Set(causes)].map(cause => resolve(tx, cause)))
  return listPeopleOfCauses(tx, { causes: ids.filter(id => id !== null), subjects })
}

/** Resolves a cause to the run or request behind it. */
const resolve = async (tx: Tx, cause: string | null): Promise<string | null> =>
  cause?.startsWith(INDEXED) ? findLastChange(tx, cause.slice(INDEXED.length)) : cause

const OUTSIDE: Origin = { isOwn: false, depth: 0 }

/** Follows a cause back to the trigger that started the run. */
async function trace(tx: Tx, triggerId: string, cause: string | null): Promise<Origin> {
  let runId = await resolve(tx, cause)
  for (let step = 0; runId !== null && step < MAX_STEPS; step++) {
    const start = await findStartOfRun(tx, runId)
    if (!start) return OUTSIDE
    if (start.trigger_id !== null) return { isOwn: start.trigger_id === triggerId, depth: (start.depth ?? 0) + 1 }
    runId = start.cause === start.root_job_id ? null : start.cause
  }
  return OUTSIDE
}
