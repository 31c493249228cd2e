import type { Body } from '../definition.ts'
import { type PlainKind, type NodeFields, type NodeOf, onlyDefault } from './kind.ts'

const MAX_ITEMS = 10_000

const fields = {
  properties: {
    items: { type: ['string', 'array'] },
    concurrency: { type: 'integer', minimum: 1, maximum: 100 },
    body: { type: 'object' },
  },
  required: ['items', 'body'],
} as const satisfies NodeFields

export type MapNode = NodeOf<'map', typeof fields, { body: Body }>

export const map: PlainKind<MapNode> = {
  type: 'map',
  fields,
  allows: { timeout: true },
  ports: onlyDefault,
  bindings: node => [{ at: '/items', template: node.items }],
  start: (_node, context) => {
    const items = context.evaluate('/items')
    if (!Array.isArray(items)) return { type: 'failed', code: 'NOT_A_LIST', message: 'items must be a list' }
    if (items.length > MAX_ITEMS) {
      return {
        type: 'failed',
        code: 'TOO_MANY_ITEMS',
        message: `items must have at most ${MAX_ITEMS} entries, not ${items.length}`,
      }
    }
    return { type: 'map', items }
  },
}
