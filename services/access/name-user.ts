import { isActorName } from '../../domain/principal.ts'

/** Returns the member name of a user, `user:<claim>`, or undefined if the claim of its token is not a name. */
export function nameUser(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  const actor = `user:${claim}`
  return isActorName(actor) ? actor : undefined
}
