import { z } from 'zod'
import { description } from '../../../domain/resources/fields.ts'
import { title } from '../../../domain/resources/names.ts'
import type { DefinitionReport, PathwayView, Simulation } from '../../../services/pathways/types.ts'
import { problems } from '../../../contract/shared/error.ts'
import { jsonValue, requiredJson } from '../../../contract/shared/json.ts'
import { pageSchema } from '../../../contract/shared/page.ts'
import { nodeError } from '../../../contract/runs/node.ts'
import { definitionNote } from '../../../contract/pathways/definition.ts'
import { requireAtMostOne, requireChange } from '../../../contract/shared/body-rules.ts'
import { expected, headFields, shownHead } from '../../../contract/resources/head.ts'

/** The fields that a save may set besides the definition. */
const savedFields = { ...headFields, description: description.unwrap().optional() }

export const createBody = z.strictObject({ ...savedFields, title, definition: requiredJson.meta(definitionNote) })

export const patchBody = requireChange(
  z.strictObject({
    ...savedFields,
    definition: jsonValue.meta(definitionNote).optional(),
    expected_version: expected,
  }),
)

export const executeBody = requireAtMostOne(
  z.strictObject({ input: jsonValue.optional(), data: jsonValue.optional() }),
  ['input', 'data'],
)

const WARNINGS = 'What may fail in a run, and untrusted content that reaches an effect, by JSON pointer'

export const validateBody = z.strictObject({ definition: requiredJson.meta(definitionNote) })

export const validation = z
  .object({
    valid: z.boolean(),
    problems: problems.meta({ description: 'What a save would refuse, by JSON pointer' }),
    warnings: problems.meta({ description: WARNINGS }),
  })
  .meta({ id: 'PathwayValidation' }) satisfies z.ZodType<DefinitionReport>

const simulated = {
  input: jsonValue.optional(),
  outputs: z.record(z.string(), jsonValue).optional().meta({ description: 'Mock outputs, by node id or key' }),
}

export const dryRunDefinitionBody = z.strictObject({ ...simulated, definition: requiredJson.meta(definitionNote) })

export const dryRunBody = z.strictObject({
  ...simulated,
  definition: jsonValue
    .optional()
    .meta({ ...definitionNote, description: 'Simulates this definition instead of the stored one' }),
})

export const pathway = z
  .object({
    ...shownHead,
    type: z.literal('pathways'),
    description: z.string().nullable(),
    definition: z.custom<PathwayView['definition']>().meta({ type: 'object', ...definitionNote }),
    warnings: problems.optional().meta({ description: `After a save. ${WARNINGS}` }),
  })
  .meta({ id: 'Pathway' }) satisfies z.ZodType<PathwayView>

export const dryRun = z
  .object({
    title: z.string().meta({ description: 'The title that the run would have' }),
    steps: z.array(
      z.object({
        key: z.string(),
        node_id: z.string(),
        type: z.string(),
        status: z.string(),
        port: z.string().optional(),
        with: jsonValue.optional(),
        output: jsonValue.optional(),
        note: z.string().optional(),
      }),
    ),
    status: z.enum(['completed', 'failed', 'waiting']),
    result: jsonValue.optional(),
    error: nodeError.optional(),
    needs: z.array(z.object({ key: z.string(), node_id: z.string(), type: z.string() })),
    warnings: problems.optional().meta({ description: WARNINGS }),
  })
  .meta({ id: 'DryRun' }) satisfies z.ZodType<Simulation>

export const pathwayPage = pageSchema(pathway)
