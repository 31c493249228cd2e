import { type PlainKind, type NodeFields, type NodeOf, onlyDefault } from './kind.ts'

const fields = {
  properties: { mode: { enum: ['all', 'any', 'n'] }, n: { type: 'integer', minimum: 1, maximum: 500 } },
  required: ['mode'],
} as const satisfies NodeFields

export type JoinNode = NodeOf<'join', typeof fields>

export const join: PlainKind<JoinNode> = {
  type: 'join',
  fields,
  allows: {},
  ports: onlyDefault,
  isOpaque: true,
  bindings: () => [],
  start: (_node, context) => ({ type: 'done', output: { arrived: context.arrived } }),
  problems(node, { at, incoming }) {
    if ((node.mode === 'n') !== (node.n !== undefined))
      return [{ pointer: `${at}/n`, message: 'mode "n" requires n; other modes must not have it' }]
    if ((node.n ?? 1) <= incoming) return []
    const message = `must be at most ${incoming}, the number of incoming edges`
    return node.n === undefined
      ? [{ pointer: at, message: 'must have an incoming edge' }]
      : [{ pointer: `${at}/n`, message }]
  },
}
