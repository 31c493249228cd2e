import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { Config } from '../../config/config.ts'
import { AuthRequired, Unavailable } from '../../domain/errors.ts'
import { nameUser } from './name-user.ts'

/** A user as a token names them. */
export interface VerifiedUser {
  /** `user:<claim>` */
  actor: string
  /** ISO 8601 */
  expires_at: string
}

export type VerifyUserToken = (token: string) => Promise<VerifiedUser>

export type UserTokenSettings = Pick<
  Config,
  'JWT_ISSUER' | 'JWT_AUDIENCE' | 'JWT_JWKS_URL' | 'JWT_KEYS' | 'JWT_ALGORITHMS' | 'JWT_USER_CLAIM'
>

/** Tokens are small; a longer text is not parsed. */
const MAX_TOKEN_LENGTH = 8_192
/** Limits of a request for the keys of the issuer, and of repeating it for unknown key ids, in milliseconds. */
const KEYS_TIMEOUT_MS = 3_000
const KEYS_COOLDOWN_MS = 30_000
const KEYS_MAX_AGE_MS = 600_000
/** Tolerated difference of clocks, in seconds. */
const CLOCK_TOLERANCE = 30

/**
 * Creates the check of user tokens: JWTs of the configured issuer for the configured audience, with an expiry, signed by
 * one of its keys with a configured algorithm. Throws AuthRequired for all others, and Unavailable when the keys of the
 * issuer cannot be read.
 */
export function createUserTokens(settings: UserTokenSettings): VerifyUserToken {
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_ALGORITHMS: algorithms, JWT_USER_CLAIM: claim } = settings
  const keys = openKeys(settings)
  if (!keys || !issuer || !audience)
    return async () => {
      throw new AuthRequired('The service does not accept user tokens')
    }
  const options = { issuer, audience, algorithms, requiredClaims: ['exp'], clockTolerance: CLOCK_TOLERANCE }

  return async token => {
    if (token.length > MAX_TOKEN_LENGTH) throw new AuthRequired('The user token is too long')
    const { payload } = await jwtVerify(token, keys, options).catch((error: unknown) => {
      throw toCallerError(error)
    })
    const actor = nameUser(payload[claim])
    if (actor === undefined) throw new AuthRequired(`The user token names no user in "${claim}"`)
    return { actor, expires_at: new Date((payload.exp ?? 0) * 1_000).toISOString() }
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

/** What a caller may know of a refused token, by the code of the library. */
const REASONS: Record<string, string> = {
  ERR_JWT_EXPIRED: 'has expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'is of another issuer or audience, or lacks an expiry',
  ERR_JOSE_ALG_NOT_ALLOWED: 'has an algorithm that is not accepted',
  ERR_JWKS_NO_MATCHING_KEY: 'is signed with an unknown key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'has a wrong signature',
}

const KEYS_AWAY = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'])

function toCallerError(error: unknown): Error {
  if (!(error instanceof errors.JOSEError) || KEYS_AWAY.has(error.code))
    return new Unavailable('The keys of the issuer of user tokens cannot be read', { cause: error })
  return new AuthRequired(`The user token ${REASONS[error.code] ?? 'is not valid'}`)
}
