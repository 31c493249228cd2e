import type { JsonObject } from '../../shared/json/json.ts'
import { type EffectKind, type NodeFields, type NodeOf, LINE, onlyDefault } from './kind.ts'

const fields = {
  properties: {
    /**
     * `propose` converts the models' findings (`found`) into a delta for a stakeholder map. `apply` applies a `delta`
     * on behalf of the requester. The map is an id or a slug.
     */
    with: {
      type: 'object',
      properties: {
        action: { enum: ['propose', 'apply'] },
        map: LINE,
        // A model's findings, or an expression that returns them.
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
} as const satisfies NodeFields

export type StakeholdersNode = NodeOf<'stakeholders', typeof fields>

export const stakeholders: EffectKind<StakeholdersNode> = {
  type: 'stakeholders',
  fields,
  allows: { timeout: true, retry: true },
  ports: onlyDefault,
  labels: () => ['document'],
  sinks: ({ with: { action } }) => (action === 'apply' ? ['/with'] : []),
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_, context) => ({
    type: 'run',
    with: { ...(context.evaluate('/with') as JsonObject), requester: context.requester },
  }),
  effect: {
    right: ({ action }) => (action === 'apply' ? 'resources:write' : 'resources:read'),
    defaultTimeoutMs: 60_000,
    mayHaveSideEffects: ({ with: { action } }) => action !== 'propose',
  },
}
