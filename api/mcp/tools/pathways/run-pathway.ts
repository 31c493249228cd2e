import { z } from 'zod'
import { isJsonObject } from '../../../../domain/json.ts'
import { jsonValue, line } from '../../../routing/schemas.ts'
import { defineRunTool } from '../../tool.ts'

export const runPathway = defineRunTool({
  name: 'run_pathway',
  title: 'Run a pathway',
  description: 'Starts a run of a pathway.',
  route: 'pathways.execute',
  input: z.strictObject({
    pathway: line().meta({ description: 'Id or slug' }),
    input: jsonValue
      .refine(value => value === undefined || isJsonObject(value), 'must be a JSON object, not text that contains one')
      .optional()
      .meta({ type: 'object', description: 'Object that fits the input schema of the pathway' }),
  }),
  start: ({ jobs }, { principal, idempotency }, { pathway, input }) =>
    jobs.start(principal, { pathway_id: pathway, input }, idempotency),
})
