import { z } from 'zod'
import { pageSchema } from '../shared/page.ts'
import { pageQuery } from '../shared/query.ts'
import { timestamp } from '../shared/time.ts'

export const deliveriesQuery = pageQuery.extend({
  status: z.enum(['pending', 'succeeded', 'failed']).optional(),
})

export type DeliveriesQuery = z.output<typeof deliveriesQuery>

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
  .meta({ id: 'WebhookDelivery' })

export type DeliveryView = z.output<typeof delivery>

export const deliveryPage = pageSchema(delivery)
