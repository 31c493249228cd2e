import { z } from 'zod'
import { description, jsonObject, longText, shortText } from '../fields.ts'
import { defineKind, lines } from '../kind.ts'

const tool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, 'has letters, digits, _ and -'),
  description: longText.default(''),
  /** JSON Schema of the arguments. */
  parameters: jsonObject.default({}),
})

const document = z.strictObject({
  description,
  source: z.enum(['builtin', 'openapi', 'mcp', 'pathway', 'neuron']).default('builtin'),
  /** Where the tools come from: the address of a server or of its description. */
  url: z.url().max(2_000).optional(),
  tools: z.array(tool).max(500).default([]),
  /** Names of secrets in the service's configuration, by header. */
  secrets: z.record(shortText, shortText).default({}),
})

export const reflexes = defineKind({
  kind: 'reflexes',
  singular: 'reflex',
  document,
  text: ({ description, tools }) => lines(description, ...tools.map(tool => `${tool.name}: ${tool.description}`)),
  metadata: ({ source }) => ({ source }),
})
