import { renderAutomationMermaid } from '../../../domain/triggers/automations/mermaid.ts'
import { renderAutomationSvg } from '../../../domain/triggers/automations/svg.ts'
import { automationGraph, automationQuery } from '../../../contract/triggers/automation.ts'
import { type Automations, buildAutomationGraph } from '../../../services/triggers/automations.ts'
import { allowReaders } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

const PICTURE_TYPES = { svg: 'image/svg+xml', mermaid: 'text/plain' } as const

/** Routes that return a workspace's automations as a graph of triggers and their targets. */
export function automationRoutes({ automations }: { automations: Automations }): Route[] {
  const graph = defineRoute({
    name: 'automations.graph',
    method: 'get',
    path: '/v1/automations/graph',
    summary: 'List triggers and their targets',
    description: 'Set `format` to get an image for light and dark color schemes, or a Mermaid flowchart.',
    tag: 'Triggers',
    access: allowReaders('resources:read'),
    query: automationQuery,
    responses: {
      200: {
        description: 'Triggers with their health, and an edge from each trigger to its target',
        schema: automationGraph,
        textTypes: Object.values(PICTURE_TYPES),
      },
    },
    async handler({ principal, query: { format, ...query } }) {
      const { triggers, edges, total } = await automations.graph(principal, query)
      if (format === 'json') return ok({ triggers, edges, pagination: page(triggers, total, query).pagination })
      const drawn = buildAutomationGraph(triggers, edges)
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
