import { z } from 'zod'
import { MAX_SECRET_CHARS, SECRET_HOST, SECRET_VALUE } from '../../domain/tools/secrets.ts'
import { pageSchema } from '../shared/page.ts'
import { timestamp } from '../shared/time.ts'

const MAX_HOSTS = 20

export const secretBody = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(MAX_SECRET_CHARS)
    .regex(SECRET_VALUE, 'must have only characters that are allowed in HTTP headers')
    .meta({ description: 'Header value. Never returned in a response.', writeOnly: true }),
  hosts: z
    .array(z.string().regex(SECRET_HOST, 'must be a host such as api.example.com or 10.0.0.7:8080, in lower case'))
    .min(1)
    .max(MAX_HOSTS)
    .meta({
      description: "Hosts that may receive the secret. Include the port unless it is the scheme's default port.",
    }),
})

export const secret = z
  .object({
    name: z.string(),
    hosts: z.array(z.string()),
    is_overridden: z.boolean().meta({
      description: 'Whether an operator secret with the same name exists. The operator secret takes precedence.',
    }),
    created_by: z.string(),
    created_at: timestamp,
    updated_by: z.string(),
    updated_at: timestamp,
  })
  .meta({ id: 'Secret' })

/** A workspace secret. Its value is never returned. */
export type SecretView = z.output<typeof secret>

export const secretPage = pageSchema(secret)
