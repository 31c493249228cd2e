import type { Problem } from '../../shared/json/json.ts'
import { DEFAULT_PORT } from '../definition.ts'
import { type PlainKind, type NodeFields, type NodeOf, PORT, TEXT } from './kind.ts'

const fields = {
  properties: {
    /** `when` is a bare CEL expression of type bool. The first true case is taken, otherwise `default`. */
    cases: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        properties: { port: PORT, when: TEXT },
        required: ['port', 'when'],
        additionalProperties: false,
      },
    },
    default: PORT,
  },
  required: ['cases'],
} as const satisfies NodeFields

export type SwitchNode = NodeOf<'switch', typeof fields>

export const switchKind: PlainKind<SwitchNode> = {
  type: 'switch',
  fields,
  allows: {},
  ports: node => [...new Set([...node.cases.map(entry => entry.port), node.default ?? DEFAULT_PORT])],
  isOpaque: true,
  bindings: node => node.cases.map((entry, i) => ({ at: `/cases/${i}/when`, expression: entry.when })),
  start: (node, context) => {
    const index = node.cases.findIndex((_, i) => context.evaluate(`/cases/${i}/when`) === true)
    const port = node.cases[index]?.port ?? node.default ?? DEFAULT_PORT
    return { type: 'done', port, output: { port } }
  },
  problems: switchProblems,
}

const RESERVED_PORTS = new Set(['error', 'timeout', 'exhausted'])

function switchProblems(node: SwitchNode, { at }: { at: string }): Problem[] {
  const ports = node.cases.map(entry => entry.port)
  const named = ports.flatMap((port, i) => {
    if (RESERVED_PORTS.has(port)) return [{ pointer: `${at}/cases/${i}/port`, message: `"${port}" is a reserved port` }]
    return ports.indexOf(port) < i ? [{ pointer: `${at}/cases/${i}/port`, message: `duplicate port "${port}"` }] : []
  })
  const fallback = node.default !== undefined && RESERVED_PORTS.has(node.default)
  return fallback ? [...named, { pointer: `${at}/default`, message: `"${node.default}" is a reserved port` }] : named
}
