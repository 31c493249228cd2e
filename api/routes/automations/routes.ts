import { z } from 'zod'
import type { ResourcesService, ResourceView } from '../../../services/resources/types.ts'
import { allowReaders } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { pagination } from '../../routing/schemas.ts'
import { listQuery, resource } from '../resources/schemas.ts'

const edge = z.object({ from: z.uuid(), to: z.object({ type: z.string(), ref: z.string() }) })

/** The automations of a workspace as a graph of triggers and their targets. */
export function automationRoutes({ resources }: { resources: ResourcesService }): Route[] {
  const graph = defineRoute({
    name: 'automations.graph',
    method: 'get',
    path: '/v1/automations/graph',
    summary: 'List triggers and their targets',
    tag: 'Catalog',
    access: allowReaders('resources:read'),
    query: listQuery,
    responses: {
      200: {
        description: 'The triggers, with an edge from each to its target',
        schema: z
          .object({ triggers: z.array(resource), edges: z.array(edge), pagination })
          .meta({ id: 'AutomationGraph' }),
      },
    },
    async handler({ principal, query }) {
      const { data, total } = await resources.list(principal, 'triggers', query)
      const { pagination } = page(data, total, query)
      return ok({ triggers: data, edges: data.map(toEdge), pagination })
    },
  })

  return [graph]
}

function toEdge({ id, document }: ResourceView): z.output<typeof edge> {
  const { target } = document as { target: { type: string; ref: string } }
  return { from: id, to: target }
}
