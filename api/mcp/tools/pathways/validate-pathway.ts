import { z } from 'zod'
import { dryRun } from '../../../routes/pathways/schemas.ts'
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
  output: z.object(dryRun.shape),
  call: ({ pathways }, { principal }, { pathway, ...request }) => pathways.dryRun(principal, pathway, request),
})
