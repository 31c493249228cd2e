import type { JobRef } from '../../domain/runs/jobs.ts'
import { formatProblems, type JsonSchema, type JsonValue } from '../../domain/shared/json/json.ts'
import { parseExternalJson } from '../../domain/shared/json/parsing/parse-external-json.ts'
import { compileSchema } from '../../domain/shared/schemas/json-schema.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

const MAX_REPORT_CHARS = 500

/** Adds the schema to the instructions, for providers without a JSON response format. */
export const withSchema = (instructions: string | undefined, schema: JsonSchema): string =>
  [
    instructions,
    `Answer with JSON only, without any other text, valid against this JSON Schema:\n${JSON.stringify(schema)}`,
  ]
    .filter(Boolean)
    .join('\n\n')

/** Creates a parser for answers. Throws StepError NODE_INPUT_INVALID for an invalid schema. */
export function createJsonReader(
  evaluator: Evaluator,
  { workspace_id }: Pick<JobRef, 'workspace_id'>,
  schema: JsonSchema,
): (text: string) => Promise<JsonValue> {
  const compiled = compileSchema(schema)
  if ('problems' in compiled)
    throw new StepError(
      'NODE_INPUT_INVALID',
      `with.schema must be a supported JSON Schema: ${cut(formatProblems(compiled.problems), MAX_REPORT_CHARS)}`,
    )
  return async text => {
    const value = parse(text)
    const problems = await evaluator.evaluate(workspace_id, 'findSchemaProblems', schema, value)
    if (problems.length > 0) throw invalidAnswerError(cut(formatProblems(problems), MAX_REPORT_CHARS))
    return value
  }
}

function parse(text: string): JsonValue {
  try {
    return parseExternalJson(stripFence(text))
  } catch {
    throw invalidAnswerError('it is not JSON')
  }
}

/** Some models wrap JSON in a Markdown fence despite their instructions. */
const stripFence = (text: string): string => /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i.exec(text)?.[1] ?? text

const invalidAnswerError = (why: string): StepError =>
  new StepError('MODEL_OUTPUT_INVALID', `The model's answer does not match the schema: ${why}`, { retryable: true })
