import { z } from 'zod'
import type { DryRunReport } from '../../../domain/pathway/dry-run.ts'
import { description } from '../../../domain/resources/fields.ts'
import { title } from '../../../domain/resources/names.ts'
import type { DefinitionReport, PathwayView } from '../../../services/pathways/types.ts'
import { requireAtMostOne, requireChange } from '../../routing/body-rules.ts'
import { jsonValue, pageSchema, problems, requiredJson } from '../../routing/schemas.ts'
import { nodeError } from '../jobs/job-view.ts'
import { definitionNote } from './definition.ts'
import { expected, headFields, shownHead } from '../resources/schemas.ts'

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

export const validateBody = z.strictObject({ definition: requiredJson.meta(definitionNote) })

export const validation = z
  .object({
    valid: z.boolean(),
    problems: problems.meta({ description: 'What a save would refuse, by JSON pointer' }),
    warnings: problems.meta({ description: 'What may fail in a run, by JSON pointer' }),
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
    warnings: problems.optional().meta({ description: 'After a save: what may fail in a run, by JSON pointer' }),
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
  })
  .meta({ id: 'DryRun' }) satisfies z.ZodType<DryRunReport & { title: string }>

export const pathwayPage = pageSchema(pathway)
