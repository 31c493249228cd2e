import { z } from 'zod'
import { FIRING_DECISIONS } from '../../domain/triggers/firing.ts'
import { TARGET_KINDS, type TargetType } from '../../domain/triggers/target.ts'
import { resourceQuery } from '../resources/resource.ts'
import { pagination } from '../shared/page.ts'
import { triggerSchemas } from './trigger.ts'

const automationTrigger = triggerSchemas.view
  .extend({
    counts: z
      .partialRecord(z.enum(FIRING_DECISIONS), z.int())
      .meta({ description: 'Event counts for the last 24 hours, by decision' }),
  })
  .meta({ id: 'AutomationTrigger' })

/** A trigger with its activity from the last 24 hours. */
export type AutomationTrigger = z.output<typeof automationTrigger>

const automationEdge = z.object({
  from: z.uuid(),
  to: z.object({
    type: z.enum(Object.keys(TARGET_KINDS) as [TargetType]),
    ref: z.string().meta({ description: 'Target, as named in the trigger' }),
    id: z.uuid().optional().meta({ description: 'Absent if the target is missing or inactive' }),
    title: z.string().optional(),
  }),
})

/** A connection from a trigger to its target. `id` and `title` are absent if the target is missing. */
export type AutomationEdge = z.output<typeof automationEdge>

export const automationQuery = resourceQuery.extend({ format: z.enum(['json', 'mermaid', 'svg']).default('json') })

export const automationGraph = z
  .object({ triggers: z.array(automationTrigger), edges: z.array(automationEdge), pagination })
  .meta({ id: 'AutomationGraph' })
