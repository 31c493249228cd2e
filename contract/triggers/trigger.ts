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
    health_reason: z.string().nullable().meta({ description: 'Reason why the trigger starts no runs. Null for `ok`.' }),
    last_fired_at: timestamp.nullable(),
    next_fire_at: timestamp
      .nullable()
      .meta({ description: 'Next scheduled time. Null without a schedule, and while the trigger is paused.' }),
  })
  .meta({ id: 'Trigger' })

/** A trigger with its current state. */
export type TriggerView = z.output<typeof view>

export const triggerSchemas = { ...product, view, page: pageSchema(view) }

export const fireBody = z.strictObject({
  input: jsonValue
    .optional()
    .meta({ description: 'Value for `event.input` in the mapping. Default: an empty object.' }),
  event: z
    .record(z.string().max(200), jsonValue)
    .optional()
    .meta({ description: 'Additional fields for `event`, such as `body` for a webhook trigger' }),
})

export type ManualFire = z.output<typeof fireBody>

export const backfillBody = z.strictObject({
  from: moment.meta({ description: 'Start of the period, inclusive' }),
  to: moment.meta({ description: 'End of the period, inclusive. Must be in the past.' }),
})

export const backfilled = z
  .object({
    times: z.int().meta({ description: 'Scheduled times in the period, including those that have already fired' }),
  })
  .meta({ id: 'TriggerBackfill' })

export const triggerPreview = z
  .object({
    times: z.array(timestamp).meta({ description: 'Scheduled times, without jitter' }),
    time_zone: z.string().nullable(),
  })
  .meta({ id: 'TriggerPreview' })
