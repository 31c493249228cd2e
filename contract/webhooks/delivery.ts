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
    event_id: z
      .uuid()
      .meta({ description: 'Id of the delivery. The `webhook-id` header is `msg_` followed by this id.' }),
    event_type: z.string(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    attempts: z
      .int()
      .meta({ description: 'Number of attempts since the delivery, or its latest replay, was requested' }),
    attempt_log: z
      .array(
        z.object({
          at: timestamp,
          latency_ms: z.int(),
          status: z.int().optional().meta({ description: 'HTTP status of the response' }),
          response: z.string().optional().meta({ description: 'First kilobyte of the response body' }),
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
