import { z } from 'zod'
import type { DeliveryView, WebhookView } from '../../../services/webhooks/types.ts'
import { requireChange } from '../../../contract/shared/body-rules.ts'
import { pageSchema } from '../../../contract/shared/page.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import { line } from '../../../contract/shared/text.ts'
import { timestamp } from '../../../contract/shared/time.ts'
import { eventFilter } from './events/schemas.ts'

const MAX_URL_CHARS = 2_000
const MAX_OVERLAP_HOURS = 168

const id = line().meta({ description: 'Id of the webhook' })
export const params = z.object({ id })
export const deliveryParams = z.object({ id, deliveryId: line().meta({ description: 'Id of the delivery' }) })

const url = line(MAX_URL_CHARS).meta({ format: 'uri', description: 'A public http or https URL, without credentials' })
const description = line(500).nullable()
const event_types = z
  .array(eventFilter)
  .min(1)
  .max(50)
  .meta({ description: 'The events to deliver: types, or all types of a subject such as `job.*`' })

export const createBody = z.strictObject({
  url,
  event_types,
  description: description.optional(),
  scope: z.enum(['workspace', 'brain']).optional().meta({
    description:
      '`brain`: the events of one brain and of the workspace; `workspace`: those of all brains. Default: `brain` if the request names one or the key is bound to brains',
  }),
})

export const changeBody = requireChange(
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

export const rotateBody = z.strictObject({
  overlap_hours: z
    .number()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .meta({ description: 'How long the present secret signs beside the new one' }),
})

export const deliveriesQuery = pageQuery.extend({
  status: z.enum(['pending', 'succeeded', 'failed']).optional(),
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

export const webhook = z.object(shown).meta({ id: 'Webhook' }) satisfies z.ZodType<WebhookView>
export const webhookPage = pageSchema(webhook)
export const webhookWithSecret = z
  .object({ ...shown, secret: z.string().meta({ description: 'For signatures; shown only here', example: 'whsec_…' }) })
  .meta({ id: 'WebhookWithSecret' })

export const delivery = z
  .object({
    id: z.uuid(),
    webhook_id: z.uuid(),
    event_id: z.uuid().meta({ description: 'The header `webhook-id` is `msg_` and this id' }),
    event_type: z.string(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    attempts: z.int().meta({ description: 'Attempts since the delivery or its replay was requested' }),
    attempt_log: z
      .array(
        z.object({
          at: timestamp,
          latency_ms: z.int(),
          status: z.int().optional().meta({ description: 'Status of the response' }),
          response: z.string().optional().meta({ description: 'The first kilobyte of its body' }),
          error: z.object({ code: z.string(), message: z.string() }).optional(),
        }),
      )
      .meta({ description: 'The latest attempts, oldest first' }),
    next_attempt_at: timestamp.nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' }) satisfies z.ZodType<DeliveryView>
export const deliveryPage = pageSchema(delivery)
