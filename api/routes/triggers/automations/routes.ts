import { z } from 'zod'
import { renderAutomationMermaid } from '../../../../domain/triggers/automations/mermaid.ts'
import { renderAutomationSvg } from '../../../../domain/triggers/automations/svg.ts'
import { FIRING_DECISIONS } from '../../../../domain/triggers/firing.ts'
import { TARGET_KINDS, type TargetType } from '../../../../domain/triggers/target.ts'
import { type Automations, toAutomationGraph } from '../../../../services/triggers/automations.ts'
import { allowReaders } from '../../../routing/access.ts'
import { page } from '../../../routing/page.ts'
import { ok } from '../../../routing/reply.ts'
import { defineRoute } from '../../../routing/route.ts'
import type { Route } from '../../../routing/route.ts'
import { pagination } from '../../../../contract/shared/page.ts'
import { resourceQuery } from '../../../../contract/resources/resource.ts'
import { triggerSchemas } from '../../../../contract/triggers/trigger.ts'

const trigger = triggerSchemas.view
  .extend({
    counts: z
      .partialRecord(z.enum(FIRING_DECISIONS), z.int())
      .meta({ description: 'Decisions about the events of the last 24 hours' }),
  })
  .meta({ id: 'AutomationTrigger' })

const edge = z.object({
  from: z.uuid(),
  to: z.object({
    type: z.enum(Object.keys(TARGET_KINDS) as [TargetType]),
    ref: z.string().meta({ description: 'As the trigger names it' }),
    id: z.uuid().optional().meta({ description: 'Absent for a target that is missing or switched off' }),
    title: z.string().optional(),
  }),
})

const PICTURE_TYPES = { svg: 'image/svg+xml', mermaid: 'text/plain' } as const

/** The automations of a workspace as a graph of triggers and their targets. */
export function automationRoutes({ automations }: { automations: Automations }): Route[] {
  const graph = defineRoute({
    name: 'automations.graph',
    method: 'get',
    path: '/v1/automations/graph',
    summary: 'List triggers and their targets',
    description: 'With `format`, as a picture for light and dark schemes, or as a Mermaid flowchart.',
    tag: 'Triggers',
    access: allowReaders('resources:read'),
    query: resourceQuery.extend({ format: z.enum(['json', 'mermaid', 'svg']).default('json') }),
    responses: {
      200: {
        description: 'The triggers with their health, and an edge from each to its target',
        schema: z
          .object({ triggers: z.array(trigger), edges: z.array(edge), pagination })
          .meta({ id: 'AutomationGraph' }),
        textTypes: Object.values(PICTURE_TYPES),
      },
    },
    async handler({ principal, query: { format, ...query } }) {
      const { triggers, edges, total } = await automations.graph(principal, query)
      if (format === 'json') return ok({ triggers, edges, pagination: page(triggers, total, query).pagination })
      const drawn = toAutomationGraph(triggers, edges)
      return {
        status: 200,
        body: format === 'svg' ? renderAutomationSvg(drawn) : renderAutomationMermaid(drawn),
        headers: {
          'Content-Type': `${PICTURE_TYPES[format]}; charset=utf-8`,
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
      }
    },
  })

  return [graph]
}
