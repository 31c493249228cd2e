import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose'
import { AuthRequired, Unavailable } from '../../../domain/shared/errors.ts'

/** Valid tokens are shorter. Longer strings are not parsed. */
const MAX_TOKEN_LENGTH = 8_192
/** Tolerated clock skew, in seconds. */
const CLOCK_TOLERANCE = 30

/** The names that error messages use for a kind of token. */
export interface TokenNames {
  /** The token name, such as `user token`. */
  token: string
  /** The name of the key holder, such as `the issuer of user tokens`. */
  issuer: string
  /** Describes a token problem, based on the library's error code. */
  describe(code: string): string
}

/** `typ` is the type required in the header. */
type Rules = Required<Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'algorithms'>> & Pick<JWTVerifyOptions, 'typ'>

/**
 * Verifies a JWT, which must have an expiry. Throws AuthRequired for an invalid token, and Unavailable if the keys
 * cannot be read.
 */
export async function verifyJwt(
  token: string,
  openKeys: () => JWTVerifyGetKey | Promise<JWTVerifyGetKey>,
  rules: Rules,
  names: TokenNames,
): Promise<JWTPayload> {
  if (token.length > MAX_TOKEN_LENGTH) throw new AuthRequired(`The ${names.token} is too long`)
  try {
    const options = { ...rules, requiredClaims: ['exp'], clockTolerance: CLOCK_TOLERANCE }
    const { payload } = await jwtVerify(token, await openKeys(), options)
    if (!isDate(payload.exp)) throw new AuthRequired(`The expiry of the ${names.token} is not a valid date`)
    return payload
  } catch (error) {
    if (error instanceof AuthRequired) throw error
    if (!(error instanceof errors.JOSEError) || KEYS_AWAY.has(error.code))
      throw new Unavailable(`The keys of ${names.issuer} cannot be read`, { cause: error })
    throw new AuthRequired(`The ${names.token} ${names.describe(error.code)}`)
  }
}

/** Returns a verified token's expiry as ISO 8601. */
export const getExpiry = ({ exp = 0 }: JWTPayload): string => new Date(exp * 1_000).toISOString()

/** The end of the year 9999, in seconds since 1970. */
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1_000
const isDate = (seconds: number | undefined): boolean => seconds !== undefined && seconds <= LAST_SECOND

const KEYS_AWAY = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'])
