import type { JsonObject, JsonValue } from '../../shared/json/json.ts'
import type { ToolEffect } from '../../tools/tool-spec.ts'
import { type EffectKind, type NodeFields, type NodeOf, LINE, onlyDefault } from './kind.ts'

/** A reference without expressions, so that the tools a run may call are known when the pathway is saved. */
const REFERENCE = {
  type: 'string',
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*(?:@[1-9][0-9]{0,8})?$',
  maxLength: 100,
} as const
const NAME = { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,63}$' } as const

const fields = {
  properties: {
    /** Calls a tool of a tool collection (slug or id, optionally with `@version`). The output is the tool's result. */
    with: {
      type: 'object',
      properties: {
        reflex: REFERENCE,
        name: NAME,
        // A string contains an expression for all arguments.
        args: { anyOf: [{ type: 'object', maxProperties: 200 }, LINE] },
      },
      required: ['reflex', 'name'],
      additionalProperties: false,
    },
  },
  required: ['with'],
} as const satisfies NodeFields

/** `effect` and `is_short` are pinned with the version when a run starts. A definition doesn't set them. */
export type ToolNode = NodeOf<'tool', typeof fields> & { with: { effect?: ToolEffect; is_short?: true } }

export const tool: EffectKind<ToolNode> = {
  type: 'tool',
  fields,
  allows: { timeout: true, retry: true, compensate: true },
  ports: onlyDefault,
  labels: () => ['tool'],
  sinks: () => ['/with/args'],
  bindings: ({ with: { args = {} } }) => [{ at: '/with/args', template: args as JsonObject }],
  start: ({ with: { reflex, name } }, context) => {
    const args: JsonValue = context.evaluate('/with/args')
    return { type: 'run', with: { reflex, name, args, requester: context.requester } }
  },
  effect: {
    // The tool determines the right.
    right: null,
    defaultTimeoutMs: 120_000,
    mayHaveSideEffects: ({ with: { effect } }) => effect !== 'read',
    isLocal: ({ with: { effect, is_short } }) => effect === 'read' && is_short === true,
  },
}
