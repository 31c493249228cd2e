import type { JsonObject, JsonValue } from '../../shared/json/json.ts'
import { defineKind, LINE, onlyDefault } from './kind.ts'

/** Reference without expressions, so that the tools a run may call are known when the pathway is saved. */
const REFERENCE = { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*(?:@[1-9][0-9]{0,8})?$', maxLength: 100 }
const NAME = { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,63}$' }

export const tool = defineKind<'tool'>({
  type: 'tool',
  properties: {
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
    defaultTimeoutMs: 120_000,
    mayHaveSideEffects: ({ with: { effect } }) => effect !== 'read',
    isLocal: ({ with: { effect, is_short } }) => effect === 'read' && is_short === true,
  },
})
