import { createHmac } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose'

export const ISSUER = 'https://issuer.test/'
export const AUDIENCE = 'ganglion'

/** Signs user tokens as an identity provider does. */
export interface Issuer {
  /** The settings that make the service accept the issuer's tokens. */
  env: Record<string, string>
  jwks: { keys: JWK[] }
  /** Signs a valid token for the user, with changes. */
  sign(user: string, changes?: Changes): Promise<string>
}

interface Changes {
  claims?: JWTPayload
  kid?: string
  /** The type in the header. Default: none. */
  typ?: string
  /** Seconds from now, or null for a token that never expires. */
  expiresIn?: number | null
  key?: CryptoKey
}

export async function createIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] }
  return {
    jwks,
    env: { JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, JWT_KEYS: JSON.stringify(jwks) },
    sign(user, { claims = {}, kid = 'one', typ, expiresIn = 300, key = privateKey } = {}) {
      const end = expiresIn === null ? {} : { exp: Math.floor(Date.now() / 1_000) + expiresIn }
      return new SignJWT({ sub: user, iss: ISSUER, aud: AUDIENCE, ...end, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, ...(typ !== undefined && { typ }) })
        .setIssuedAt()
        .sign(key)
    },
  }
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Returns a token that is signed with a text, or unsigned, as attackers would create it. */
export function forge(header: object, payload: object, secret?: string): string {
  const body = `${encode(header)}.${encode(payload)}`
  return `${body}.${secret === undefined ? '' : createHmac('sha256', secret).update(body).digest('base64url')}`
}
