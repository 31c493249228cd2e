import { type PlainKind, type NodeFields, type NodeOf } from './kind.ts'

const fields = {
  properties: { output: {} },
  required: [],
} as const satisfies NodeFields

export type EndNode = NodeOf<'end', typeof fields>

export const end: PlainKind<EndNode> = {
  type: 'end',
  fields,
  allows: {},
  ports: () => [],
  bindings: node => (node.output === undefined ? [] : [{ at: '/output', template: node.output }]),
  start: (node, context) => ({ type: 'done', output: node.output === undefined ? null : context.evaluate('/output') }),
}
