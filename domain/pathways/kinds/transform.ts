import { type PlainKind, type NodeFields, type NodeOf, onlyDefault } from './kind.ts'

const fields = {
  properties: {
    with: { type: 'object', properties: { value: {} }, required: ['value'], additionalProperties: false },
  },
  required: ['with'],
} as const satisfies NodeFields

export type TransformNode = NodeOf<'transform', typeof fields>

export const transform: PlainKind<TransformNode> = {
  type: 'transform',
  fields,
  allows: {},
  ports: onlyDefault,
  bindings: node => [{ at: '/with/value', template: node.with.value }],
  start: (_node, context) => ({ type: 'done', output: context.evaluate('/with/value') }),
}
