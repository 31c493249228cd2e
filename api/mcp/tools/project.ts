import { z } from 'zod'

/** Keeps of a value what its schema declares, in the order of the schema. Unions and objects that are open are kept whole. */
export function project(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return project(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map(item => project(schema.element, item))
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return value
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(schema.shape)
      .filter(([name]) => fields[name] !== undefined)
      .map(([name, field]) => [name, project(field, fields[name])]),
  )
}
