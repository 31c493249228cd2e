import { z } from 'zod'
import { jsonSetting } from './json-setting.ts'

/** Algorithms of signatures with a key pair. One with a shared secret would let every holder of the key sign. */
export const JWT_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'] as const

const keySet = z.object({
  keys: z
    .array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) }))
    .min(1)
    .max(100),
})

/** Reads public keys from a JSON Web Key Set, or from the path of a file with one. */
export const keySetSetting = jsonSetting('{', 'a JSON Web Key Set').pipe(keySet)
