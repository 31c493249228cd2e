import type { JsonObject } from '../../shared/json/json.ts'
import { type EffectKind, type NodeFields, type NodeOf, LINE, onlyDefault, TEXT } from './kind.ts'

const fields = {
  properties: {
    /** Searches resources of the workspace. The output is the API response. */
    with: {
      type: 'object',
      properties: {
        query: TEXT,
        mode: { enum: ['hybrid', 'keyword', 'semantic'] },
        types: { type: 'array', items: LINE, minItems: 1, maxItems: 50 },
        // Expressions may return numbers as strings.
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
} as const satisfies NodeFields

export type SearchNode = NodeOf<'search', typeof fields>

export const search: EffectKind<SearchNode> = {
  type: 'search',
  fields,
  allows: { timeout: true, retry: true },
  ports: onlyDefault,
  labels: () => ['search'],
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_, context) => ({ type: 'run', with: context.evaluate('/with') as JsonObject }),
  effect: { right: 'resources:read', defaultTimeoutMs: 60_000, mayHaveSideEffects: () => false },
}
