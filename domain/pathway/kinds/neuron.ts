import type { JsonObject } from '../../json.ts'
import { defineKind, LINE, onlyDefault, TEXT } from './kind.ts'

export const neuron = defineKind<'neuron'>({
  type: 'neuron',
  properties: {
    ref: LINE,
    with: {
      type: 'object',
      properties: {
        model: LINE,
        instructions: TEXT,
        message: TEXT,
        variables: { type: 'object', maxProperties: 100 },
        schema: { type: 'object' },
        max_output_tokens: { type: 'integer', minimum: 1, maximum: 200_000 },
        temperature: { type: 'number', minimum: 0, maximum: 2 },
      },
      required: ['message'],
      additionalProperties: false,
    },
  },
  required: ['with'],
  allows: { timeout: true, retry: true, compensate: true },
  ports: onlyDefault,
  // The schema is JSON Schema, not a template: `${` has no meaning in it.
  readings: ({ with: { schema: _schema, ...texts } }) => [{ at: '/with', template: texts as JsonObject }],
  begin: (node, turn) => {
    if (node.ref !== undefined) return { type: 'child', input: turn.read('/with') }
    const texts = turn.read('/with') as JsonObject
    return { type: 'run', with: node.with.schema ? { ...texts, schema: node.with.schema } : texts }
  },
})
