import { z } from 'zod'
import { definitionNote } from './definition.ts'
import { WARNINGS } from './pathway.ts'
import { problems } from '../shared/error.ts'
import { requiredJson } from '../shared/json.ts'

export const validateBody = z.strictObject({ definition: requiredJson.meta(definitionNote) })

export const pathwayValidation = z
  .object({
    valid: z.boolean(),
    problems: problems.meta({ description: 'Problems that would block a save, by JSON pointer' }),
    warnings: problems.meta({ description: WARNINGS }),
  })
  .meta({ id: 'PathwayValidation' })

/** The result of validating a definition without saving it. Pointers start with `/definition`. */
export type PathwayValidation = z.output<typeof pathwayValidation>
