import { z } from 'zod'
import { requireChange } from '../shared/body-rules.ts'
import { pageSchema } from '../shared/page.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'
import { eventFilter } from './event.ts'

const MAX_URL_CHARS = 2_000
const MAX_OVERLAP_HOURS = 168

const url = line(MAX_URL_CHARS).meta({ format: 'uri', description: 'A public http or https URL, without credentials' })
const description = line(500).nullable()
const event_types = z
  .array(eventFilter)
  .min(1)
  .max(50)
  .meta({ description: 'Events to deliver: event types, or all types for a subject, such as `job.*`' })

export const webhookBody = z.strictObject({
  url,
  event_types,
  description: description.optional(),
  scope: z.enum(['workspace', 'brain']).optional().meta({
    description:
      '`brain`: events from one brain and events that concern the whole workspace. `workspace`: events from all brains. Default: `brain` if the request names a brain or the key is bound to brains.',
  }),
})

export type WebhookFields = z.output<typeof webhookBody>

export const webhookChange = requireChange(
  z.strictObject({
    url: url.optional(),
    event_types: event_types.optional(),
    description: description.optional(),
    is_active: z
      .boolean()
      .optional()
      .meta({ description: 'false: stops deliveries. true: resumes with the next event.' }),
  }),
)

export type WebhookChange = z.output<typeof webhookChange>

export const rotateSecretBody = z.strictObject({
  overlap_hours: z
    .number()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .meta({ description: 'Period during which deliveries are signed with both the current secret and the new one' }),
})

const commonFields = {
  id: z.uuid(),
  scope: z.enum(['workspace', 'brain']),
  brain_id: z.uuid().nullable(),
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(eventFilter),
  is_active: z.boolean(),
  disabled_at: timestamp.nullable(),
  disabled_reason: z.enum(['requested', 'gone', 'failing']).nullable().meta({
    description: '`gone`: the endpoint responded with 410. `failing`: all deliveries have been failing for days.',
  }),
  failing_since: timestamp.nullable().meta({ description: 'First failure since the last success' }),
  previous_secret_until: timestamp
    .nullable()
    .meta({ description: 'Time until which deliveries are also signed with the previous secret' }),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
}

export const webhook = z.object(commonFields).meta({ id: 'Webhook' })

/** A webhook without its secrets. */
export type WebhookView = z.output<typeof webhook>

export const webhookPage = pageSchema(webhook)
export const webhookWithSecret = z
  .object({
    ...commonFields,
    secret: z.string().meta({ description: 'Signing secret, shown only once', example: 'whsec_…' }),
  })
  .meta({ id: 'WebhookWithSecret' })

/** A webhook with its new secret, which is shown only once. */
export type WebhookWithSecret = z.output<typeof webhookWithSecret>
