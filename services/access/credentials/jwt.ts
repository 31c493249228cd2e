import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose'
import { AuthRequired, Unavailable } from '../../../domain/shared/errors.ts'

/** Tokens are small; a longer text is not parsed. */
const MAX_TOKEN_LENGTH = 8_192
/** Tolerated difference of clocks, in seconds. */
const CLOCK_TOLERANCE = 30

/** How a kind of tokens is named to callers. */
export interface TokenNames {
  /** Such as `user token`. */
  token: string
  /** Who has the keys, such as `the issuer of user tokens`. */
  issuer: string
  /** Tells what is wrong with a token, by the code of the library. */
  describe(code: string): string
}

/** `typ`: the type that the header must name. */
type Rules = Required<Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'algorithms'>> & Pick<JWTVerifyOptions, 'typ'>

/**
 * Verifies a JWT that must have an expiry. Throws AuthRequired for one that is not valid, and Unavailable when the keys
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
    if (!isDate(payload.exp)) throw new AuthRequired(`The ${names.token} has an expiry that is no date`)
    return payload
  } catch (error) {
    if (error instanceof AuthRequired) throw error
    if (!(error instanceof errors.JOSEError) || KEYS_AWAY.has(error.code))
      throw new Unavailable(`The keys of ${names.issuer} cannot be read`, { cause: error })
    throw new AuthRequired(`The ${names.token} ${names.describe(error.code)}`)
  }
}

/** The end of a verified token, as ISO 8601. */
export const getExpiry = ({ exp = 0 }: JWTPayload): string => new Date(exp * 1_000).toISOString()

/** Seconds since 1970, until the year 9999. */
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1_000
const isDate = (seconds: number | undefined): boolean => seconds !== undefined && seconds <= LAST_SECOND

const KEYS_AWAY = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'])
