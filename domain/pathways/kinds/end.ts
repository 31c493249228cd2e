import { defineKind } from './kind.ts'

export const end = defineKind<'end'>({
  type: 'end',
  properties: { output: {} },
  required: [],
  allows: {},
  ports: () => [],
  bindings: node => (node.output === undefined ? [] : [{ at: '/output', template: node.output }]),
  start: (node, context) => ({ type: 'done', output: node.output === undefined ? null : context.evaluate('/output') }),
})
