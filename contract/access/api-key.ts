import { z } from 'zod'
import { PERMISSIONS } from '../../domain/access/permissions.ts'
import { person } from '../shared/text.ts'
import { moment, timestamp } from '../shared/time.ts'
import { boundBrains, givenBrains, groups, issued, name } from './credential.ts'

const keyGroups = groups.meta({ description: 'Groups to which you belong' })

const keyFields = {
  name,
  groups: keyGroups,
  permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length).optional().meta({
    description:
      'Permissions that the key grants. Default: all except those that must be listed explicitly. You can only grant permissions that you have.',
  }),
  ...givenBrains,
  expires_at: moment.optional(),
}

export const apiKeyBody = z.strictObject({
  ...keyFields,
  actor: person
    .optional()
    .meta({ description: 'Your own name, to create a key that acts as you. Default: a service key that you own.' }),
})
export const apiKeyChange = z.strictObject(keyFields)
export const rotateBody = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .meta({ description: 'Seconds until the old key stops working' }),
})

export const apiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** Identity that the key acts as: its owner, or the service key itself as `key:<name>`. */
    actor: z.string(),
    owner: z.string().nullable(),
    groups: z.array(z.string()),
    /** Null: all permissions except those that must be listed explicitly. */
    permissions: z.array(z.enum(PERMISSIONS)).nullable(),
    ...boundBrains,
    ...issued,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

/** An API key without its secret text. */
export type ApiKeyView = z.output<typeof apiKey>

export const createdApiKey = apiKey
  .extend({ api_key: z.string().meta({ description: 'Secret text of the key. Shown only once.' }) })
  .meta({ id: 'CreatedApiKey' })

/** A new API key. `api_key` contains the key's text, which is not shown again. */
export type CreatedApiKey = z.output<typeof createdApiKey>
