import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../../domain/json.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import { loosenParameters } from '../../domain/tools/fixed-arguments.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'

/**
 * Lists the problems of the arguments of a tool as they are written. Values of expressions are checked when they are
 * known, and so are all arguments of a tool whose schema is not supported.
 */
export async function findArgumentProblems(
  evaluator: Evaluator,
  workspaceId: string,
  parameters: JsonSchema,
  args: JsonValue,
  at: string,
): Promise<Problem[]> {
  if (!isJsonObject(args)) return []
  const loosened = loosenParameters(parameters, args)
  if ('problems' in compileSchema(loosened)) return []
  return evaluator.evaluate(workspaceId, 'findSchemaProblems', loosened, args, at)
}
