import { z } from 'zod'
import { FIRING_DECISIONS } from '../../domain/triggers/firing.ts'
import { TRIGGER_TYPE_NAMES } from '../../domain/triggers/types/index.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { pageQuery } from '../shared/query.ts'
import { timestamp } from '../shared/time.ts'

export const firing = z
  .object({
    id: z.uuid(),
    trigger_id: z.uuid(),
    trigger_version: z.int().meta({ description: 'Version of the trigger that made the decision' }),
    source: z.enum(TRIGGER_TYPE_NAMES).meta({ description: 'Type of the trigger, or `manual` for a request' }),
    decision: z.enum(FIRING_DECISIONS),
    reason: z.string().nullable(),
    job_id: z.string().nullable(),
    dedupe_key: z.string().meta({ description: 'Deduplication key. Events with the same key start only one run.' }),
    duplicate_of: z.uuid().nullable().meta({ description: 'First firing with the same deduplication key' }),
    replay_of: z.uuid().nullable().meta({ description: 'Original firing, if this one is a replay' }),
    depth: z.int().meta({ description: 'Number of triggers in the chain that led to this firing' }),
    fired_by: z.string().nullable().meta({ description: 'Person who fired the trigger or replayed the event' }),
    event: z.record(z.string(), jsonValue).nullable(),
    input: jsonValue.meta({ description: 'Input of the run' }),
    created_at: timestamp,
  })
  .meta({ id: 'Firing' })

/** A firing, as the API returns it. */
export type FiringView = z.output<typeof firing>

export const firingPage = pageSchema(firing)

export const firingsQuery = pageQuery.extend({ decision: z.enum(FIRING_DECISIONS).optional() })

export type FiringsQuery = z.output<typeof firingsQuery>
