import { z } from 'zod'
import type { JsonSchema } from '../../../domain/shared/json/json.ts'
import { makePatternsPortable } from '../../openapi/patterns.ts'

/**
 * Returns the JSON Schema of what is sent (`input`) or returned (`output`), without references: clients with a strict
 * subset of JSON Schema refuse these.
 */
export function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify })
  makePatternsPortable(json)
  return json as JsonSchema
}

/** Removes the bounds of safe integers, and the ids of named schemas. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.id
}
