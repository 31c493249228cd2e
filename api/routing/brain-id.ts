import { z } from 'zod'
import { brainId } from '../../contract/shared/brain-id.ts'

/** The body of a route: an object, or objects that one field distinguishes. */
export type BodySchema = z.ZodObject | z.ZodDiscriminatedUnion<z.ZodObject[]>

/** Adds `brain_id` to a body, unless the body already has this field. Throws for a schema that is not an object. */
export function withBrainId(schema: z.ZodType): BodySchema {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def
    return z.discriminatedUnion(discriminator, schema.options.map(extendObject) as [z.ZodObject, ...z.ZodObject[]])
  }
  return extendObject(schema)
}

function extendObject(schema: unknown): z.ZodObject {
  if (!(schema instanceof z.ZodObject)) throw new Error('the body of a route must be an object')
  if ('brain_id' in schema.shape) return schema
  const extended = schema.safeExtend({ brain_id: brainId })
  const about = schema.meta()
  return about ? extended.meta(about) : extended
}

/** Splits a validated body into its brain id and the rest. */
export function splitBrainId(body: unknown): { brain_id?: string; body: unknown } {
  const { brain_id, ...rest } = body as { brain_id?: string }
  return { brain_id, body: rest }
}
