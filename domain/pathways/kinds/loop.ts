import { type Body, DEFAULT_PORT, EXHAUSTED_PORT } from '../definition.ts'
import { type PlainKind, type NodeFields, type NodeOf, TEXT } from './kind.ts'

const fields = {
  properties: {
    /** Bare CEL expression, evaluated after each iteration with `iteration` and `last`. */
    until: TEXT,
    max: { type: 'integer', minimum: 1, maximum: 1_000 },
    body: { type: 'object' },
  },
  required: ['until', 'max', 'body'],
} as const satisfies NodeFields

export type LoopNode = NodeOf<'loop', typeof fields, { body: Body }>

export const loop: PlainKind<LoopNode> = {
  type: 'loop',
  fields,
  allows: { timeout: true },
  ports: () => [DEFAULT_PORT, EXHAUSTED_PORT],
  bindings: node => [{ at: '/until', expression: node.until, names: ['iteration', 'last'] }],
  start: () => ({ type: 'loop' }),
}
