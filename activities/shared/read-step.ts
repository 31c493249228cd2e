import type { z } from 'zod'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { PARSE_OPTIONS } from '../../domain/shared/zod-problems.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

/**
 * Validates a node's `with` after its expressions are evaluated. Throws StepError NODE_INPUT_INVALID, which names the
 * fields but never contains their values.
 */
export function readStep<Schema extends z.ZodType>(schema: Schema, rawStep: JsonObject): z.output<Schema> {
  const parsed = schema.safeParse(rawStep, PARSE_OPTIONS)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${['with', ...path].join('.')}: ${message}`)
  throw new StepError('NODE_INPUT_INVALID', cut(problems.join('; '), 1_000))
}
