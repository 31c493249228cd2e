import type { Scope } from '../expressions/program.ts'
import type { Mark } from '../expressions/template.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import type { GraphNode } from '../graph.ts'
import { listEnclosingFrames } from './node-keys.ts'
import type { EngineState, NodeState } from './state.ts'

/** Evaluates a binding of a node in a frame. Nodes of the frame and of its enclosing frames are visible. */
export function evaluateBinding(
  state: EngineState,
  frameId: string,
  node: GraphNode,
  at: string,
  extra: Scope = {},
  mark?: Mark,
): JsonValue {
  const binding = node.bindings.get(at)
  if (!binding) throw new Error(`${node.node.id} has no binding at ${at}`)
  return binding.evaluate({ ...buildScope(state, frameId, binding.nodes), ...extra }, mark)
}

function buildScope(state: EngineState, frameId: string, nodeIds: string[]): Scope {
  const chain = listEnclosingFrames(frameId)
  const { id, requester } = state.run
  const scope: Scope = { input: state.input, run: { id, requester }, nodes: {} }
  for (const frame of chain.toReversed()) Object.assign(scope, state.frames[frame]?.vars)
  scope.nodes = Object.fromEntries(
    nodeIds.flatMap(nodeId => {
      const ownerFrame = chain.find(id => state.frames[id]?.nodes[nodeId])
      const ownerState =
        ownerFrame === undefined ? undefined : presentNodeState(state.frames[ownerFrame]?.nodes[nodeId])
      return ownerState ? [[nodeId, ownerState]] : []
    }),
  )
  return scope
}

/** Returns the fields of a finished node. Fields without a value are omitted, so that `has()` is false. */
function presentNodeState(node: NodeState | undefined): Scope | undefined {
  if (!node || (node.status !== 'done' && node.status !== 'failed')) return undefined
  const scope: Scope = { status: node.status }
  if (node.output !== undefined) scope.output = node.output
  if (node.error !== undefined) scope.error = node.error
  if (node.port !== undefined) scope.port = node.port
  return scope
}
