import type { JWTPayload } from 'jose'
import { isActorName } from '../../domain/access/principal.ts'

/** How member names are built for users from a sign-in source: `<prefix>:<claim>`. */
export interface UserNaming {
  prefix: string
  claim: string
}

/**
 * Returns the member name for a token's user. Returns undefined if the claim is not a valid name. Also returns
 * undefined for an email address that the issuer has not verified, because anyone can enter someone else's address.
 */
export function nameUser(payload: JWTPayload, { prefix, claim }: UserNaming): string | undefined {
  const name = payload[claim]
  if (typeof name !== 'string' || (claim === 'email' && payload['email_verified'] !== true)) return undefined
  const actor = `${prefix}:${name}`
  return isActorName(actor) ? actor : undefined
}

/** Completes an error message about a token that does not identify a user. */
export const explainClaim = (claim: string): string =>
  claim === 'email'
    ? 'does not name a user in "email" with "email_verified": true'
    : `does not name a user in "${claim}"`
