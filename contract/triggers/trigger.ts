import { z } from 'zod'
import { TRIGGER_HEALTHS } from '../../domain/triggers/health.ts'
import { productSchemas } from '../resources/product.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { moment, timestamp } from '../shared/time.ts'

const product = productSchemas('triggers', 'TriggerFields')

const view = product.view
  .extend({
    health: z.enum(TRIGGER_HEALTHS),
    health_reason: z.string().nullable().meta({ description: 'What keeps it from starting runs; null for `ok`' }),
    last_fired_at: timestamp.nullable(),
    next_fire_at: timestamp.nullable().meta({ description: 'Null without a schedule, and while it is paused' }),
  })
  .meta({ id: 'Trigger' })

/** A trigger with its state. */
export type TriggerView = z.output<typeof view>

export const triggerSchemas = { ...product, view, page: pageSchema(view) }

export const fireBody = z.strictObject({
  input: jsonValue.optional().meta({ description: '`event.input` of the mapping. Default: an empty object.' }),
  event: z
    .record(z.string().max(200), jsonValue)
    .optional()
    .meta({ description: 'Further fields of `event`, such as `body` for a trigger of the type webhook' }),
})

export type ManualFire = z.output<typeof fireBody>

export const backfillBody = z.strictObject({
  from: moment.meta({ description: 'The first time of the period, inclusive' }),
  to: moment.meta({ description: 'The last time of the period, inclusive; in the past' }),
})

export const backfilled = z
  .object({ times: z.int().meta({ description: 'Times of the schedule in the period, also those that have fired' }) })
  .meta({ id: 'TriggerBackfill' })

export const triggerPreview = z
  .object({
    times: z.array(timestamp).meta({ description: 'Without jitter' }),
    time_zone: z.string().nullable(),
  })
  .meta({ id: 'TriggerPreview' })
