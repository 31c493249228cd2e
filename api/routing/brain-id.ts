import { z } from 'zod'

/** The field of a body that names the brain context. */
export const brainId = z
  .uuid()
  .optional()
  .meta({ description: 'Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.' })

/** Adds `brain_id` to a body, unless it has the field. Throws for a schema that is not an object. */
export function withBrainId(schema: z.ZodType): z.ZodObject {
  if (!(schema instanceof z.ZodObject)) throw new Error('the body of a route must be an object')
  if ('brain_id' in schema.shape) return schema
  const extended = schema.safeExtend({ brain_id: brainId })
  const about = schema.meta()
  return about ? extended.meta(about) : extended
}

/** Splits a checked body into its brain context and the rest. */
export function splitBrainId(body: unknown): { brain_id?: string; body: unknown } {
  const { brain_id, ...rest } = body as { brain_id?: string }
  return { brain_id, body: rest }
}
