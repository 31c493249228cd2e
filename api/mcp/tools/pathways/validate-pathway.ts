import { z } from 'zod'
import { jsonValue, line } from '../../../routing/schemas.ts'
import { defineTool, READS } from '../../tool.ts'

export const validatePathway = defineTool({
  name: 'validate_pathway',
  title: 'Simulate a pathway',
  description:
    'Simulates a run without any effect, of a stored pathway or of a changed definition of it, and lists the problems of the definition. Nodes with effects take the given outputs; the simulation stops where one is missing.',
  route: 'pathways.dryRun',
  hints: READS,
  input: z.strictObject({
    pathway: line().meta({ description: 'Id or slug' }),
    definition: jsonValue.optional().meta({ description: 'Instead of the stored definition' }),
    input: jsonValue.optional(),
    outputs: z.record(z.string(), jsonValue).optional().meta({ description: 'Outputs of nodes, by node id or key' }),
  }),
  output: z.object({
    title: z.string(),
    status: z.enum(['completed', 'failed', 'waiting']),
    steps: z.array(
      z.object({
        key: z.string(),
        node_id: z.string(),
        type: z.string(),
        status: z.string(),
        port: z.string().optional(),
        with: jsonValue.optional(),
        output: jsonValue.optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
    result: jsonValue.optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    needs: z.array(z.object({ key: z.string(), node_id: z.string(), type: z.string() })),
  }),
  call: ({ pathways }, { principal }, { pathway, ...request }) => pathways.dryRun(principal, pathway, request),
})
