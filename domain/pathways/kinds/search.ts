import type { JsonObject } from '../../shared/json/json.ts'
import { defineKind, LINE, onlyDefault, TEXT } from './kind.ts'

export const search = defineKind<'search'>({
  type: 'search',
  properties: {
    with: {
      type: 'object',
      properties: {
        query: TEXT,
        mode: { enum: ['hybrid', 'keyword', 'semantic'] },
        types: { type: 'array', items: LINE, minItems: 1, maxItems: 50 },
        // A number as text, as an expression gives it, is one too.
        versions: { anyOf: [{ type: 'integer', minimum: 1 }, LINE] },
        path_prefix: LINE,
        min_score: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, LINE] },
        metadata: { type: 'object', maxProperties: 20 },
        // A string contains an expression for the limit.
        limit: { anyOf: [{ type: 'integer', minimum: 1, maximum: 200 }, LINE] },
        offset: { type: 'integer', minimum: 0 },
      },
      required: ['query'],
      additionalProperties: false,
    },
  },
  required: ['with'],
  allows: { timeout: true, retry: true },
  ports: onlyDefault,
  labels: () => ['search'],
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_, context) => ({ type: 'run', with: context.evaluate('/with') as JsonObject }),
  effect: { defaultTimeoutMs: 60_000, mayHaveSideEffects: () => false },
})
