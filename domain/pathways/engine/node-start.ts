import type { NodeStart } from '../kinds/kind.ts'
import { splitKey } from './node-keys.ts'
import type { Transition } from './transition.ts'
import { evaluateBinding } from './expression-scope.ts'
import { evaluateMarked } from './labelling.ts'

/** Determines how a node starts. Throws ExpressionError. */
export function resolveStart(transition: Transition, key: string, node = transition.node(key)): NodeStart {
  const { frameId, nodeId } = splitKey(key)
  const { requester, people, allows_no_assignees = false } = transition.state.run
  return node.kind.start(node.node, {
    evaluate: at => evaluateBinding(transition.state, frameId, node, at),
    evaluateMarked: (at, isMarked) => evaluateMarked(transition, key, at, isMarked),
    at: transition.at,
    requester,
    people,
    allowsNoAssignees: allows_no_assignees,
    get arrived() {
      const from = new Set(transition.state.frames[frameId]?.arrivals[nodeId]?.from)
      return [...node.graph.nodes.keys()].filter(id => from.has(id))
    },
  })
}
