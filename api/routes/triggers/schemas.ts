import { z } from 'zod'
import { FIRING_DECISIONS } from '../../../domain/triggers/firing.ts'
import { TRIGGER_HEALTHS } from '../../../domain/triggers/health.ts'
import { TRIGGER_TYPE_NAMES } from '../../../domain/triggers/types/index.ts'
import type { FiringView } from '../../../services/triggers/types.ts'
import { jsonValue } from '../../../contract/shared/json.ts'
import { pageSchema } from '../../../contract/shared/page.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import { moment, timestamp } from '../../../contract/shared/time.ts'
import { productSchemas } from '../../../contract/resources/product.ts'

const product = productSchemas('triggers', 'TriggerFields')

const view = product.view
  .extend({
    health: z.enum(TRIGGER_HEALTHS),
    health_reason: z.string().nullable().meta({ description: 'What keeps it from starting runs; null for `ok`' }),
    last_fired_at: timestamp.nullable(),
    next_fire_at: timestamp.nullable().meta({ description: 'Null without a schedule, and while it is paused' }),
  })
  .meta({ id: 'Trigger' })

export const triggerSchemas = { ...product, view, page: pageSchema(view) }

export const fireBody = z.strictObject({
  input: jsonValue.optional().meta({ description: '`event.input` of the mapping. Default: an empty object.' }),
  event: z
    .record(z.string().max(200), jsonValue)
    .optional()
    .meta({ description: 'Further fields of `event`, such as `body` for a trigger of the type webhook' }),
})

export const firing = z
  .object({
    id: z.uuid(),
    trigger_id: z.uuid(),
    trigger_version: z.int().meta({ description: 'The version of the trigger that decided' }),
    source: z.enum(TRIGGER_TYPE_NAMES).meta({ description: 'The type of the trigger, or `manual` for a request' }),
    decision: z.enum(FIRING_DECISIONS),
    reason: z.string().nullable(),
    job_id: z.string().nullable(),
    dedupe_key: z.string().meta({ description: 'Two events with the same key start one run' }),
    duplicate_of: z.uuid().nullable().meta({ description: 'The firing that had the key first' }),
    replay_of: z.uuid().nullable().meta({ description: 'The firing whose event this one repeats on request' }),
    depth: z.int().meta({ description: 'Number of triggers that led to this firing' }),
    fired_by: z.string().nullable().meta({ description: 'Who fired it by request' }),
    event: z.record(z.string(), jsonValue).nullable(),
    input: jsonValue.meta({ description: 'The input of the run' }),
    created_at: timestamp,
  })
  .meta({ id: 'Firing' }) satisfies z.ZodType<FiringView>
export const firingPage = pageSchema(firing)

export const runsQuery = pageQuery.extend({ decision: z.enum(FIRING_DECISIONS).optional() })

export const backfillBody = z.strictObject({
  from: moment.meta({ description: 'The first time of the period, inclusive' }),
  to: moment.meta({ description: 'The last time of the period, inclusive; in the past' }),
})

export const backfilled = z
  .object({ times: z.int().meta({ description: 'Times of the schedule in the period, also those that have fired' }) })
  .meta({ id: 'TriggerBackfill' })

export const preview = z
  .object({
    times: z.array(timestamp).meta({ description: 'Without jitter' }),
    time_zone: z.string().nullable(),
  })
  .meta({ id: 'TriggerPreview' })
