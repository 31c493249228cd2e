import type { JsonSchema, Problem } from '../../shared/json/json.ts'
import { prefixPointers } from '../../shared/json/json-pointer.ts'
import { compileSchema } from '../../shared/schemas/json-schema.ts'

/** Lists the problems with a user's schema. It must be a JSON Schema that is cheap to validate against. */
export function schemaProblems(schema: JsonSchema, at: string): Problem[] {
  const result = compileSchema(schema)
  return 'problems' in result ? prefixPointers(at, result.problems) : []
}
