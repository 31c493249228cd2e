import { z } from 'zod'
import { jsonValue, line } from '../../../routing/schemas.ts'
import { defineRunTool } from '../../tool.ts'

export const runPathway = defineRunTool({
  name: 'run_pathway',
  title: 'Run a pathway',
  description: 'Starts a run of a pathway.',
  route: 'pathways.execute',
  input: z.strictObject({
    pathway: line().meta({ description: 'Id or slug' }),
    input: jsonValue.optional().meta({ description: 'What the input schema of the pathway asks for' }),
  }),
  start: ({ jobs }, { principal, idempotency }, { pathway, input }) =>
    jobs.start(principal, { pathway_id: pathway, input }, idempotency),
})
