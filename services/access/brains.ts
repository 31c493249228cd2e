import { Forbidden } from '../../domain/shared/errors.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { BrainAccess, BrainContext } from '../../domain/access/principal.ts'

const NO_CONTEXT = 'The request has no brain context: set X-Brain-Id or brain_id, or give the API key a default brain'

/** Throws Forbidden if the principal has no context. */
function getContext({ brain }: BrainAccess): BrainContext {
  if (!brain) throw new Forbidden(NO_CONTEXT)
  return brain
}

/**
 * Returns the brains for reads by id and workspace-wide lists: the brain of an explicit context, otherwise all brains
 * that the credential may access. Null means all. Objects without a brain are always visible.
 */
export const visibleBrains = ({ brain, brain_ids }: BrainAccess): string[] | null =>
  brain?.isExplicit ? listBrainIds(brain) : brain_ids

const listBrainIds = ({ id }: BrainContext): string[] => (id === null ? [] : [id])

/** Returns the brain for new objects, or null for the workspace itself. Throws Forbidden without a context. */
export const contextBrain = (access: BrainAccess): string | null => getContext(access).id

/**
 * Returns the principal with this brain as its explicit context. Does not check whether the credential may access the
 * brain.
 */
export const inBrain = <A extends BrainAccess>(access: A, id: string | null): A => ({
  ...access,
  brain: { id, isExplicit: true },
})

/**
 * Returns the principal, limited to its brain context, for listings, searches and runs. Throws Forbidden without a
 * context.
 */
export const inContext = <A extends BrainAccess>(access: A): A => inBrain(access, contextBrain(access))

/** Returns a run's brain access, which is limited to its job's brain. */
export const getBrainAccess = ({ brain_id, brain_ids }: JobRef): BrainAccess => ({
  brain_ids: brain_ids ?? null,
  brain: { id: brain_id ?? null, isExplicit: true },
})

/** Returns the context's brains, for listings and searches. Throws Forbidden without a context. */
export const contextBrains = (access: BrainAccess): string[] => listBrainIds(getContext(access))

/**
 * Returns whether reads by id can access objects in this brain. Objects without a brain are visible from every brain.
 */
export function canReadBrain(access: BrainAccess, brainId: string | null): boolean {
  const brains = visibleBrains(access)
  return brains === null || brainId === null || brains.includes(brainId)
}

/** A credential bound to brains cannot write to objects without a brain. */
export const canWriteBrain = ({ brain_ids }: Pick<BrainAccess, 'brain_ids'>, brainId: string | null): boolean =>
  brain_ids === null || (brainId !== null && brain_ids.includes(brainId))

/** Throws Forbidden if the brain is not writable. */
export function checkWritable(access: Pick<BrainAccess, 'brain_ids'>, brainId: string | null): void {
  if (!canWriteBrain(access, brainId)) throw new Forbidden()
}
