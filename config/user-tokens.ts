import { z } from 'zod'
import { jsonSetting } from './json-setting.ts'

/**
 * Signature algorithms that use a key pair. With a shared secret, everyone who can verify tokens could also sign
 * them.
 */
export const JWT_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'] as const

const keySet = z.object({
  keys: z
    .array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) }))
    .min(1)
    .max(100),
})

/** Reads public keys from a JSON Web Key Set, or from the path of a file that contains one. */
export const keySetSetting = jsonSetting('{', 'a JSON Web Key Set').pipe(keySet)
