import { z } from 'zod'
import { isJsonObject, type JsonSchema } from '../../domain/shared/json/json.ts'

/** The `with` of a `neuron` node, with its expressions evaluated. */
export const neuronStep = z.object({
  model: z.string().min(1).optional(),
  instructions: z.string().optional(),
  message: z.string(),
  /** Of the marks of untrusted values in the texts. */
  boundary: z.string().optional(),
  /** JSON Schema of the structured answer. */
  schema: z.custom<JsonSchema>(isJsonObject, 'must be a JSON Schema').optional(),
  max_output_tokens: z.number().int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
})
