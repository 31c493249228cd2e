import { z } from 'zod'
import { definitionNote } from './definition.ts'
import { WARNINGS } from './pathway.ts'
import { nodeError } from '../runs/node.ts'
import { problems } from '../shared/error.ts'
import { jsonValue, requiredJson } from '../shared/json.ts'

const simulated = {
  input: jsonValue.optional(),
  outputs: z.record(z.string(), jsonValue).optional().meta({ description: 'Mock outputs by node id or key' }),
}

export const dryRunDefinitionBody = z.strictObject({ ...simulated, definition: requiredJson.meta(definitionNote) })

export const dryRunBody = z.strictObject({
  ...simulated,
  definition: jsonValue
    .optional()
    .meta({ ...definitionNote, description: 'Definition to simulate instead of the stored one' }),
})

export const pathwayDryRun = z
  .object({
    title: z.string().meta({ description: 'Title that the run would get' }),
    steps: z.array(
      z.object({
        key: z.string(),
        node_id: z.string(),
        type: z.string(),
        status: z.string(),
        port: z.string().optional(),
        with: jsonValue.optional(),
        output: jsonValue.optional(),
        error: nodeError.optional().meta({ description: 'Why the node failed' }),
      }),
    ),
    status: z.enum(['completed', 'failed', 'waiting']),
    result: jsonValue.optional(),
    error: nodeError.optional(),
    needs: z.array(z.object({ key: z.string(), node_id: z.string(), type: z.string() })),
    warnings: problems.optional().meta({ description: WARNINGS }),
  })
  .meta({ id: 'DryRun' })

/** A simulated run of a pathway. */
export type PathwayDryRun = z.output<typeof pathwayDryRun>
