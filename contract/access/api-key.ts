import { z } from 'zod'
import { PERMISSIONS } from '../../domain/access/permissions.ts'
import { person } from '../shared/text.ts'
import { moment, timestamp } from '../shared/time.ts'
import { boundBrains, givenBrains, groups, issued, name } from './credential.ts'

const keyGroups = groups.meta({ description: 'Groups to which you belong' })

const keyFields = {
  name,
  groups: keyGroups,
  permissions: z
    .array(z.enum(PERMISSIONS))
    .max(PERMISSIONS.length)
    .optional()
    .meta({ description: 'Default: all but those that keys get by name only. You can give only what you have' }),
  ...givenBrains,
  expires_at: moment.optional(),
}

export const apiKeyBody = z.strictObject({
  ...keyFields,
  actor: person
    .optional()
    .meta({ description: 'Yourself, for a key that acts as you. Default: a service key, which belongs to you' }),
})
export const apiKeyChange = z.strictObject(keyFields)
export const rotateBody = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .meta({ description: 'For how long the old key is accepted too' }),
})

export const apiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** Whom the key acts as: its person, or itself as `key:<name>`. */
    actor: z.string(),
    owner: z.string().nullable(),
    groups: z.array(z.string()),
    /** Null for all but the management of access. */
    permissions: z.array(z.enum(PERMISSIONS)).nullable(),
    ...boundBrains,
    ...issued,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

/** An API key without its text. */
export type ApiKeyView = z.output<typeof apiKey>

export const createdApiKey = apiKey
  .extend({ api_key: z.string().meta({ description: 'The key. It is shown only once.' }) })
  .meta({ id: 'CreatedApiKey' })

/** A new API key. `api_key` is its text, which is not shown again. */
export type CreatedApiKey = z.output<typeof createdApiKey>
