import { DEFAULT_PORT } from '../definition.ts'
import { defineKind, PORT, TEXT } from './kind.ts'

export const switchKind = defineKind<'switch'>({
  type: 'switch',
  properties: {
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
  allows: {},
  ports: node => [...new Set([...node.cases.map(entry => entry.port), node.default ?? DEFAULT_PORT])],
  readings: node => node.cases.map((entry, i) => ({ at: `/cases/${i}/when`, expression: entry.when })),
  begin: (node, turn) => {
    const index = node.cases.findIndex((_, i) => turn.read(`/cases/${i}/when`) === true)
    const port = node.cases[index]?.port ?? node.default ?? DEFAULT_PORT
    return { type: 'done', port, output: { port } }
  },
})
