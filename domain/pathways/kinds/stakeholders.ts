import type { JsonObject } from '../../shared/json/json.ts'
import { defineKind, LINE, onlyDefault } from './kind.ts'

export const stakeholders = defineKind<'stakeholders'>({
  type: 'stakeholders',
  properties: {
    with: {
      type: 'object',
      properties: {
        action: { enum: ['propose', 'apply'] },
        map: LINE,
        // What a model has found, or an expression for it.
        found: {},
        delta: {},
        expected_version: {},
        note: LINE,
      },
      required: ['action', 'map'],
      additionalProperties: false,
    },
  },
  required: ['with'],
  allows: { timeout: true, retry: true },
  ports: onlyDefault,
  labels: () => ['document'],
  sinks: ({ with: { action } }) => (action === 'apply' ? ['/with'] : []),
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_, context) => ({
    type: 'run',
    with: { ...(context.evaluate('/with') as JsonObject), requester: context.requester },
  }),
  effect: { defaultTimeoutMs: 60_000, mayHaveSideEffects: ({ with: { action } }) => action !== 'propose' },
})
