import type { JWTPayload } from 'jose'
import { isActorName } from '../../domain/access/principal.ts'

/** How a source of sign-ins names its users: `<prefix>:<claim>`. */
export interface UserNaming {
  prefix: string
  claim: string
}

/**
 * Returns the member name of the user of a token. Undefined where the claim is not a name, and for an address that the issuer
 * has not verified: everybody can enter the address of somebody else.
 */
export function nameUser(payload: JWTPayload, { prefix, claim }: UserNaming): string | undefined {
  const name = payload[claim]
  if (typeof name !== 'string' || (claim === 'email' && payload['email_verified'] !== true)) return undefined
  const actor = `${prefix}:${name}`
  return isActorName(actor) ? actor : undefined
}

/** The end of a message about a token without a usable name. */
export const explainClaim = (claim: string): string =>
  claim === 'email' ? 'names no user in "email" with "email_verified": true' : `names no user in "${claim}"`
