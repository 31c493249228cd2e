import type { Tx } from '../../../data/shared/database.ts'
import { listPeopleOfCauses } from '../../../data/people/people-store.ts'
import { type DueTriggerEvent, findLastChange, findStartOfRun } from '../../../data/triggers/trigger-events-store.ts'

/** Triggers that may fire one after the other because of each other's runs. */
export const MAX_CHAIN_LENGTH = 5

/** Runs that are followed back from one to the one that has started it. */
const MAX_STEPS = 10

const INDEXED = 'indexed:'

/** The index tells of a change later, outside of the run that has made it. */
export const buildIndexedCause = (resourceId: string): string => `${INDEXED}${resourceId}`

/** Where an event comes from, as a trigger sees it. */
export interface Origin {
  /** Whether the trigger's own run has caused it. */
  isOwn: boolean
  /** Number of triggers that led to it. */
  depth: number
}

/** Finds where events that are counted together come from: the way with the fewest triggers, unless all are its own. */
export async function findOrigin(tx: Tx, triggerId: string, causes: (string | null)[]): Promise<Origin> {
  const origins: Origin[] = []
  for (const cause of new Set(causes)) origins.push(await trace(tx, triggerId, cause))
  const others = origins.filter(({ isOwn }) => !isOwn)
  const [nearest = OUTSIDE] = (others.length > 0 ? others : origins).sort((origin, other) => origin.depth - other.depth)
  return nearest
}

/** Returns everyone behind the causes of events that are counted together. */
export async function listPeople(tx: Tx, { causes, subjects }: Pick<DueTriggerEvent, 'causes' | 'subjects'>) {
  const ids = await Promise.all([...new Set(causes)].map(cause => resolve(tx, cause)))
  return listPeopleOfCauses(tx, { causes: ids.filter(id => id !== null), subjects })
}

/** The run or request that a cause is. */
const resolve = async (tx: Tx, cause: string | null): Promise<string | null> =>
  cause?.startsWith(INDEXED) ? findLastChange(tx, cause.slice(INDEXED.length)) : cause

const OUTSIDE: Origin = { isOwn: false, depth: 0 }

/** Follows a cause back to the trigger whose run it is. */
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
