import { z } from 'zod'
import { description } from '../../domain/resources/fields.ts'
import { title } from '../../domain/resources/names.ts'
import { definitionNote } from './definition.ts'
import { headFields, expected, shownHead } from '../resources/head.ts'
import { requireChange, requireAtMostOne } from '../shared/body-rules.ts'
import { problems } from '../shared/error.ts'
import { requiredJson, jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'

/** The fields that a save may set besides the definition. */
const savedFields = { ...headFields, description: description.unwrap().optional() }

export const pathwayBody = z.strictObject({ ...savedFields, title, definition: requiredJson.meta(definitionNote) })

export const pathwayPatchBody = requireChange(
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

export const WARNINGS = 'What may fail in a run, and untrusted content that reaches an effect, by JSON pointer'

export const pathwayView = z
  .object({
    ...shownHead,
    type: z.literal('pathways'),
    description: z.string().nullable(),
    definition: z.custom<PathwayDefinition>().meta({ type: 'object', ...definitionNote }),
    warnings: problems.optional().meta({ description: `After a save. ${WARNINGS}` }),
  })
  .meta({ id: 'Pathway' })

/** A pathway as the API shows it. */
export type PathwayView = z.output<typeof pathwayView>

export const pathwayPage = pageSchema(pathwayView)
