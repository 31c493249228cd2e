import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import type { Config } from '../../../config/config.ts'
import { AuthRequired } from '../../../domain/shared/errors.ts'
import { getExpiry, type TokenNames, verifyJwt } from './jwt.ts'
import { explainClaim, nameUser } from '../name-user.ts'

/** A user identified by a token. */
export interface VerifiedUser {
  /** `user:<claim>` */
  actor: string
  /** ISO 8601 */
  expires_at: string
}

export type VerifyUserToken = (token: string) => Promise<VerifiedUser>

export type UserTokenSettings = Pick<
  Config,
  'JWT_ISSUER' | 'JWT_AUDIENCE' | 'JWT_JWKS_URL' | 'JWT_KEYS' | 'JWT_ALGORITHMS' | 'JWT_USER_CLAIM' | 'JWT_USER_PREFIX'
>

/**
 * Timeout for fetching the issuer's keys, and the minimum interval between fetches for unknown key ids, in
 * milliseconds.
 */
const KEYS_TIMEOUT_MS = 3_000
const KEYS_COOLDOWN_MS = 30_000
const KEYS_MAX_AGE_MS = 600_000

/**
 * Creates the verifier for user tokens. It accepts JWTs that have an expiry and match the configured issuer and
 * audience. They must be signed by one of the issuer's keys with a configured algorithm. Throws AuthRequired for all
 * other tokens, and Unavailable if the issuer's keys cannot be read.
 */
export function createUserTokens(settings: UserTokenSettings): VerifyUserToken {
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_ALGORITHMS: algorithms } = settings
  const { JWT_USER_CLAIM: claim, JWT_USER_PREFIX: prefix } = settings
  const keys = openKeys(settings)
  if (!keys || !issuer || !audience)
    return async () => {
      throw new AuthRequired('The service does not accept user tokens')
    }

  return async token => {
    const payload = await verifyJwt(token, () => keys, { issuer, audience, algorithms }, NAMES)
    const actor = nameUser(payload, { prefix, claim })
    if (actor === undefined) throw new AuthRequired(`The user token ${explainClaim(claim)}`)
    return { actor, expires_at: getExpiry(payload) }
  }
}

function openKeys({ JWT_KEYS, JWT_JWKS_URL }: UserTokenSettings): JWTVerifyGetKey | undefined {
  if (JWT_KEYS) return createLocalJWKSet(JWT_KEYS)
  if (!JWT_JWKS_URL) return undefined
  return createRemoteJWKSet(new URL(JWT_JWKS_URL), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
  })
}

/** Reasons for rejecting a token, shown to the caller, by library error code. */
const REASONS: Record<string, string> = {
  ERR_JWT_EXPIRED: 'has expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'has a different issuer or audience, or has no expiry',
  ERR_JOSE_ALG_NOT_ALLOWED: 'uses an algorithm that is not accepted',
  ERR_JWKS_NO_MATCHING_KEY: 'is signed with an unknown key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'has an invalid signature',
}

const NAMES: TokenNames = {
  token: 'user token',
  issuer: 'the issuer of user tokens',
  describe: code => REASONS[code] ?? 'is not valid',
}
