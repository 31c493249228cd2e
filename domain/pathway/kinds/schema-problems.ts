import type { JsonSchema, Problem } from '../../json.ts'
import { prefixPointers } from '../../json-pointer.ts'
import { compileSchema } from '../../schemas/json-schema.ts'

/** Problems of a schema that a user wrote: it must be one, and cheap enough to check. */
export function schemaProblems(schema: JsonSchema, at: string): Problem[] {
  const result = compileSchema(schema)
  return 'problems' in result ? prefixPointers(at, result.problems) : []
}
