import { defineKind } from './kind.ts'

export const end = defineKind<'end'>({
  type: 'end',
  properties: { output: {} },
  required: [],
  allows: {},
  ports: () => [],
  readings: node => (node.output === undefined ? [] : [{ at: '/output', template: node.output }]),
  begin: (node, turn) => ({ type: 'done', output: node.output === undefined ? null : turn.read('/output') }),
})
