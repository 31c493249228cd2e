import { defineKind, onlyDefault } from './kind.ts'

export const transform = defineKind<'transform'>({
  type: 'transform',
  properties: {
    with: { type: 'object', properties: { value: {} }, required: ['value'], additionalProperties: false },
  },
  required: ['with'],
  allows: {},
  ports: onlyDefault,
  readings: node => [{ at: '/with/value', template: node.with.value }],
  begin: (_node, turn) => ({ type: 'done', output: turn.read('/with/value') }),
})
