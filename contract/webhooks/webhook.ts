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
  .meta({ description: 'The events to deliver: types, or all types of a subject such as `job.*`' })

export const webhookBody = z.strictObject({
  url,
  event_types,
  description: description.optional(),
  scope: z.enum(['workspace', 'brain']).optional().meta({
    description:
      '`brain`: the events of one brain and of the workspace; `workspace`: those of all brains. Default: `brain` if the request names one or the key is bound to brains',
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
      .meta({ description: 'false: nothing is delivered; true: enabled again, from the next event on' }),
  }),
)

export type WebhookChange = z.output<typeof webhookChange>

export const rotateSecretBody = z.strictObject({
  overlap_hours: z
    .number()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .meta({ description: 'How long the present secret signs beside the new one' }),
})

const shown = {
  id: z.uuid(),
  scope: z.enum(['workspace', 'brain']),
  brain_id: z.uuid().nullable(),
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(eventFilter),
  is_active: z.boolean(),
  disabled_at: timestamp.nullable(),
  disabled_reason: z.enum(['requested', 'gone', 'failing']).nullable().meta({
    description: '`gone`: the endpoint responded with 410; `failing`: deliveries have only failed for days',
  }),
  failing_since: timestamp.nullable().meta({ description: 'The first failure since the last success' }),
  previous_secret_until: timestamp
    .nullable()
    .meta({ description: 'Until when the secret before the rotation signs, too' }),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
}

export const webhook = z.object(shown).meta({ id: 'Webhook' })

/** A webhook without its secrets. */
export type WebhookView = z.output<typeof webhook>

export const webhookPage = pageSchema(webhook)
export const webhookWithSecret = z
  .object({ ...shown, secret: z.string().meta({ description: 'For signatures; shown only here', example: 'whsec_…' }) })
  .meta({ id: 'WebhookWithSecret' })

/** A webhook with its new secret, which is shown once. */
export type WebhookWithSecret = z.output<typeof webhookWithSecret>
