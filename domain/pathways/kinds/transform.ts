import { defineKind, onlyDefault } from './kind.ts'

export const transform = defineKind<'transform'>({
  type: 'transform',
  properties: {
    with: { type: 'object', properties: { value: {} }, required: ['value'], additionalProperties: false },
  },
  required: ['with'],
  allows: {},
  ports: onlyDefault,
  bindings: node => [{ at: '/with/value', template: node.with.value }],
  start: (_node, context) => ({ type: 'done', output: context.evaluate('/with/value') }),
})
