import { Forbidden } from '../../domain/shared/errors.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { BrainAccess, BrainContext } from '../../domain/access/principal.ts'

const NO_CONTEXT =
  'The request has no brain context: name a brain in X-Brain-Id or brain_id, or give the API key a default brain'

/** Throws Forbidden when there is none. */
function getContext({ brain }: BrainAccess): BrainContext {
  if (!brain) throw new Forbidden(NO_CONTEXT)
  return brain
}

/**
 * Returns the brains of reads by id and of lists of the workspace: that of an explicit context, else all of the
 * credential. Null means all. What has no brain is visible too.
 */
export const visibleBrains = ({ brain, brain_ids }: BrainAccess): string[] | null =>
  brain?.isExplicit ? listBrainIds(brain) : brain_ids

const listBrainIds = ({ id }: BrainContext): string[] => (id === null ? [] : [id])

/** Returns the brain where new things belong; null for the workspace itself. Throws Forbidden without a context. */
export const contextBrain = (access: BrainAccess): string | null => getContext(access).id

/** Returns the principal with this brain as its explicit context. The credential is not checked. */
export const inBrain = <A extends BrainAccess>(access: A, id: string | null): A => ({
  ...access,
  brain: { id, isExplicit: true },
})

/**
 * Returns the principal limited to its context, for what looks around: listings, searches and runs. Throws Forbidden
 * without a context.
 */
export const inContext = <A extends BrainAccess>(access: A): A => inBrain(access, contextBrain(access))

/** Returns the access of a run, which is limited to the brain of its job. */
export const getBrainAccess = ({ brain_id, brain_ids }: JobRef): BrainAccess => ({
  brain_ids: brain_ids ?? null,
  brain: { id: brain_id ?? null, isExplicit: true },
})

/** Returns the brains of listings and searches: that of the context. Throws Forbidden without one. */
export const contextBrains = (access: BrainAccess): string[] => listBrainIds(getContext(access))

/** Whether a read by id finds what belongs to the brain. What has no brain is visible from every brain. */
export function canReadBrain(access: BrainAccess, brainId: string | null): boolean {
  const brains = visibleBrains(access)
  return brains === null || brainId === null || brains.includes(brainId)
}

/** A credential that is bound to brains does not write to what has no brain. */
export const canWriteBrain = ({ brain_ids }: Pick<BrainAccess, 'brain_ids'>, brainId: string | null): boolean =>
  brain_ids === null || (brainId !== null && brain_ids.includes(brainId))

/** Throws Forbidden. */
export function checkWritable(access: Pick<BrainAccess, 'brain_ids'>, brainId: string | null): void {
  if (!canWriteBrain(access, brainId)) throw new Forbidden()
}
