import { type PlainKind, type NodeFields, type NodeOf, LINE, onlyDefault } from './kind.ts'

const fields = {
  properties: {
    /** Slug or id, optionally with `@version`. */
    ref: LINE,
    with: {},
  },
  required: ['ref'],
} as const satisfies NodeFields

export type PathwayRefNode = NodeOf<'pathway', typeof fields>

export const pathway: PlainKind<PathwayRefNode> = {
  type: 'pathway',
  fields,
  allows: { timeout: true, compensate: true },
  ports: onlyDefault,
  sinks: () => ['/with'],
  bindings: node => [{ at: '/with', template: node.with ?? {} }],
  start: (_node, context) => ({ type: 'child', input: context.evaluate('/with') }),
  isChildRun: () => true,
}
