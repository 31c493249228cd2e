import { Forbidden, ValidationError } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'

/** A credential that is bound to brains sees their resources and those without a brain. */
export const canAccessBrain = ({ brain_ids }: Pick<Principal, 'brain_ids'>, brainId: string | null): boolean =>
  brain_ids === null || brainId === null || brain_ids.includes(brainId)

/** A credential that is bound to brains does not write to what has no brain. */
export const canWriteBrain = ({ brain_ids }: Pick<Principal, 'brain_ids'>, brainId: string | null): boolean =>
  brain_ids === null || (brainId !== null && brain_ids.includes(brainId))

/** Throws Forbidden. */
export function checkWritable(principal: Pick<Principal, 'brain_ids'>, brainId: string | null): void {
  if (!canWriteBrain(principal, brainId)) throw new Forbidden()
}

/**
 * Returns the brain of what the principal creates: that of the request, or the only one that the credential is bound to;
 * null for none. Throws ValidationError for a credential that is bound to several when the request names none.
 */
export function getWriteBrain({ brain_id, brain_ids }: Pick<Principal, 'brain_id' | 'brain_ids'>): string | null {
  if (brain_id !== undefined) return brain_id
  if (brain_ids === null) return null
  const [only, ...others] = brain_ids
  if (only !== undefined && others.length === 0) return only
  throw new ValidationError('The key is bound to several brains: X-Brain-Id must name one of them')
}
