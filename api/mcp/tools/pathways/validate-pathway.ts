import { z } from 'zod'
import { ValidationError } from '../../../../domain/errors.ts'
import { dryRun } from '../../../routes/pathways/schemas.ts'
import { jsonValue, line } from '../../../routing/schemas.ts'
import { defineTool, READS } from '../../tool.ts'

export const validatePathway = defineTool({
  name: 'validate_pathway',
  title: 'Simulate a pathway',
  description:
    'Simulates a run without any effect, of a stored pathway, of a changed definition of it, or of a definition that is not stored, and lists the problems of the definition. Nodes with effects take the given outputs; the simulation stops where one is missing.',
  route: 'pathways.dryRun',
  hints: READS,
  input: z.strictObject({
    pathway: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
    definition: jsonValue.optional().meta({ description: 'Instead of the stored definition, or without one' }),
    input: jsonValue.optional(),
    outputs: z.record(z.string(), jsonValue).optional().meta({ description: 'Outputs of nodes, by node id or key' }),
  }),
  output: z.object(dryRun.shape),
  async call({ pathways }, { principal }, { pathway, ...request }) {
    if (pathway !== undefined) return pathways.dryRun(principal, pathway, request)
    const { definition } = request
    if (definition === undefined) throw new ValidationError('Give a pathway, a definition or both')
    return pathways.dryRunDefinition(principal, { ...request, definition })
  },
})
