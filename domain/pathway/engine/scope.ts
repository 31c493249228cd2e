import type { Scope } from '../../expressions/expression.ts'
import type { JsonValue } from '../../json.ts'
import type { GraphNode } from '../graph.ts'
import { enclosing } from './address.ts'
import type { EngineState, NodeState } from './state.ts'

/** Evaluates a reading of a node in one frame: it sees its own frame's nodes and those around it. */
export function readIn(state: EngineState, frameId: string, node: GraphNode, at: string, extra: Scope = {}): JsonValue {
  const reading = node.readings.get(at)
  if (!reading) throw new Error(`${node.node.id} reads nothing at ${at}`)
  return reading.evaluate({ ...scopeOf(state, frameId, reading.nodes), ...extra })
}

function scopeOf(state: EngineState, frameId: string, nodeIds: string[]): Scope {
  const chain = enclosing(frameId)
  const scope: Scope = { input: state.input, run: state.run, nodes: {} }
  for (const id of chain.toReversed()) Object.assign(scope, state.frames[id]?.vars)
  scope.nodes = Object.fromEntries(
    nodeIds.flatMap(nodeId => {
      const holder = chain.find(id => state.frames[id]?.nodes[nodeId])
      const seen = holder === undefined ? undefined : visible(state.frames[holder]?.nodes[nodeId])
      return seen ? [[nodeId, seen]] : []
    }),
  )
  return scope
}

/** Only a node that is over can be read; what it has not, is absent, so `has()` tells. */
function visible(node: NodeState | undefined): Scope | undefined {
  if (!node || (node.status !== 'done' && node.status !== 'failed')) return undefined
  const seen: Scope = { status: node.status }
  if (node.output !== undefined) seen.output = node.output
  if (node.error !== undefined) seen.error = node.error
  if (node.port !== undefined) seen.port = node.port
  return seen
}
