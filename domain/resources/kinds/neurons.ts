import { z } from 'zod'
import { description, json, jsonObject, longText, reference, shortText } from '../fields.ts'
import { defineKind, lines } from '../kind.ts'

const tool = z.strictObject({
  reflex: reference,
  /** Tools of the reflex; left out, all of them. */
  names: z.array(shortText).max(200).optional(),
  approval: z.enum(['never', 'always']).default('never'),
})

const document = z.strictObject({
  description,
  neuron_type: z.enum(['completion', 'agent', 'extraction', 'router']).default('completion'),
  /** A model of the registry; left out, the service's own. */
  model: shortText.optional(),
  instructions: longText.default(''),
  variables: z.record(z.string().max(100), json).default({}),
  /** JSON Schema of a structured answer. */
  output_schema: jsonObject.optional(),
  tools: z.array(tool).max(100).default([]),
  skills: z.array(reference).max(100).default([]),
  memory: z
    .strictObject({ recollect: z.boolean().default(false), messages: z.int().min(0).max(1_000).default(50) })
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_output_tokens: z.int().min(1).max(1_000_000).optional(),
  max_steps: z.int().min(1).max(1_000).default(20),
  budget_usd: z.number().positive().optional(),
})

export const neurons = defineKind({
  kind: 'neurons',
  singular: 'neuron',
  document,
  text: ({ description, instructions }) => lines(description, instructions),
  metadata: ({ neuron_type, model }) => ({ neuron_type, ...(model !== undefined && { model }) }),
})
