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

/** Fields other than the definition that a save may change. */
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

export const WARNINGS =
  'Steps that may fail in a run, and untrusted content that reaches a step with effects, by JSON pointer'

export const pathwayView = z
  .object({
    ...shownHead,
    type: z.literal('pathways'),
    description: z.string().nullable(),
    definition: z.custom<PathwayDefinition>().meta({ type: 'object', ...definitionNote }),
    warnings: problems.optional().meta({ description: `Present after a save. ${WARNINGS}` }),
  })
  .meta({ id: 'Pathway' })

/** A pathway, as the API returns it. */
export type PathwayView = z.output<typeof pathwayView>

export const pathwayPage = pageSchema(pathwayView)
