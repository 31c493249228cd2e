import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from './state.ts'

const schema = z.object({
  /** Distinguishes this state directory from an earlier one with the same path. */
  instance: z.string(),
  admin_password: z.string(),
  app_password: z.string(),
  redis_password: z.string(),
  api_key_secret: z.string(),
  /** The key that encrypts workspace secrets: 32 bytes in Base64. */
  encryption_key: z.string(),
  /** The key that signs decision evidence: 32 bytes in Base64. */
  evidence_key: z.string(),
})

const partial = schema.partial()

export type Secrets = z.infer<typeof schema>

/**
 * Returns the random secrets for a state directory. The first call creates `<state directory>/secrets.json` (mode
 * 0600). If an older file lacks secrets, they are added.
 */
export function readOrCreateSecrets(stateDir: string): Secrets {
  const file = join(stateDir, 'secrets.json')
  const storedSecrets = existsSync(file) ? partial.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
  const secrets: Secrets = {
    instance: randomBytes(8).toString('hex'),
    admin_password: randomBytes(24).toString('hex'),
    app_password: randomBytes(24).toString('hex'),
    redis_password: randomBytes(24).toString('hex'),
    api_key_secret: randomBytes(32).toString('hex'),
    encryption_key: randomBytes(32).toString('base64'),
    evidence_key: randomBytes(32).toString('base64'),
    ...storedSecrets,
  }
  if (!schema.safeParse(storedSecrets).success) writePrivate(file, JSON.stringify(secrets, null, 2))
  return secrets
}
