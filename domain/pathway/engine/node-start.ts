import type { Begin } from '../kinds/kind.ts'
import { splitKey } from './address.ts'
import type { Draft } from './draft.ts'
import { readIn } from './scope.ts'

/** What the node's kind makes of its turn. Throws ExpressionError. */
export function beginningOf(draft: Draft, key: string, read = draft.node(key)): Begin {
  const { frameId, nodeId } = splitKey(key)
  return read.kind.begin(read.node, {
    read: at => readIn(draft.state, frameId, read, at),
    at: draft.at,
    requester: draft.state.run.requester,
    get arrived() {
      const from = new Set(draft.state.frames[frameId]?.arrivals[nodeId]?.from)
      return [...read.graph.nodes.keys()].filter(id => from.has(id))
    },
  })
}
