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
      .meta({ description: 'Decisions about the events of the last 24 hours' }),
  })
  .meta({ id: 'AutomationTrigger' })

/** A trigger with what it did in the last 24 hours. */
export type AutomationTrigger = z.output<typeof automationTrigger>

const automationEdge = z.object({
  from: z.uuid(),
  to: z.object({
    type: z.enum(Object.keys(TARGET_KINDS) as [TargetType]),
    ref: z.string().meta({ description: 'As the trigger names it' }),
    id: z.uuid().optional().meta({ description: 'Absent for a target that is missing or switched off' }),
    title: z.string().optional(),
  }),
})

/** From a trigger to its target. `id` and `title` are absent for a target that is missing. */
export type AutomationEdge = z.output<typeof automationEdge>

export const automationQuery = resourceQuery.extend({ format: z.enum(['json', 'mermaid', 'svg']).default('json') })

export const automationGraph = z
  .object({ triggers: z.array(automationTrigger), edges: z.array(automationEdge), pagination })
  .meta({ id: 'AutomationGraph' })
