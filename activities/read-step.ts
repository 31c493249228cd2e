import type { z } from 'zod'
import type { JsonObject } from '../domain/json.ts'
import { PARSE_OPTIONS } from '../domain/zod-problems.ts'
import { StepError } from './step-error.ts'

/**
 * Reads a node's `with` after its expressions were resolved: what they gave is known only now. Throws StepError
 * NODE_INPUT_INVALID naming each field, never its value.
 */
export function readStep<Schema extends z.ZodType>(schema: Schema, given: JsonObject): z.output<Schema> {
  const parsed = schema.safeParse(given, PARSE_OPTIONS)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${['with', ...path].join('.')}: ${message}`)
  throw new StepError('NODE_INPUT_INVALID', problems.join('; ').slice(0, 1_000))
}
