import type { DecisionCovers } from '../../runs/nodes.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import { exceedsJsonSize } from '../../shared/json/json-size.ts'
import type { CompiledBinding } from '../bindings.ts'
import { DEFAULT_PORT, type PathwayNode } from '../definition.ts'
import {
  buildNodeKey,
  getGraph,
  getNode,
  listEnclosingFrames,
  parseFrameId,
  parseGraphPath,
  splitKey,
} from '../engine/node-keys.ts'
import { type EngineState, isGiven, type NodeState } from '../engine/state.ts'
import { isInside, listFollowing, listKeysAfter } from '../fork/fork-point.ts'
import type { Graph, GraphNode, Pins } from '../graph.ts'
import { listNodes } from '../list-nodes.ts'
import { hashJson } from './hash-json.ts'

/** Values with more JSON characters than this are not hashed. A fork treats them as changed. */
const MAX_VALUE_CHARS = 4_000_000
export const UNHASHED = 'too large'

/** The nodes of one frame that a decision covers. */
interface CoveredFrame {
  frameId: string
  graph: Graph
  nodes: Set<GraphNode>
}

/**
 * Returns what a decision covers at the moment of `state`: the values known so far that the node and the nodes after
 * it read, and the definition of these nodes. Pure.
 * @param key of the human node
 */
export function computeCovers(graph: Graph, state: EngineState, key: string): DecisionCovers {
  const frames = listCovered(graph, key)
  const values = new Map<string, string>()
  for (const frame of frames) addValues(values, { ...frame, state, except: key })
  const sorted = [...values].toSorted(([name], [other]) => (name < other ? -1 : 1))
  return { values: Object.fromEntries(sorted), definition: hashDefinition(graph, frames) }
}

/**
 * Returns whether a decision at a node covers the same definitions in both graphs, regardless of the path that the
 * run took.
 */
export const hasSameCoverage = (before: Graph, after: Graph, key: string): boolean =>
  hashDefinition(before, listCovered(before, key)) === hashDefinition(after, listCovered(after, key))

/**
 * Lists the keys of the human nodes before a node. In a loop, they include nodes that may have asked in an earlier
 * iteration.
 */
export const listDecisionsBefore = (graph: Graph, key: string): string[] =>
  listEnclosingFrames(splitKey(key).frameId).flatMap(frameId =>
    [...getGraph(graph, parseGraphPath(frameId)).nodes.values()]
      .filter(({ decides }) => decides)
      .map(({ node }) => ({ node, decision: buildNodeKey(frameId, node.id) }))
      .filter(
        ({ node, decision }) =>
          (node.type === 'loop' && isInside(key, decision)) ||
          listKeysAfter(graph, decision).some(behind => behind === key || isInside(key, behind)),
      )
      .map(({ decision }) => decision),
  )

/** Lists the names of the values that differ between two covers. `definition` stands for the nodes' definition. */
export function findCoverChanges(before: DecisionCovers | undefined, after: DecisionCovers): string[] {
  if (!before) return ['decision']
  const isSame = before.definition === after.definition
  const [previousKeys, now] = [new Set(Object.keys(before.values)), new Set(Object.keys(after.values))]
  // A changed definition may read other values, so only the values that both definitions read are compared.
  const names = [...(isSame ? previousKeys.union(now) : previousKeys.intersection(now))]
  const differs = (name: string) => before.values[name] !== after.values[name] || after.values[name] === UNHASHED
  return [...(isSame ? [] : ['definition']), ...names.filter(differs)]
}

/**
 * Lists the node, the nodes after it, and the nodes after the enclosing `map` and `loop` nodes. Includes the
 * enclosing loops, because their next iterations come later, and all handlers of these nodes.
 */
function listCovered(root: Graph, key: string): CoveredFrame[] {
  let current = key
  return listEnclosingFrames(splitKey(key).frameId).map(frameId => {
    const node = getNode(root, current)
    const { graph } = node
    const nodes = listFollowing(node)
    if (current === key || node.node.type === 'loop') nodes.add(node)
    if (frameId !== '') current = parseFrameId(frameId).key
    for (const { node: coveredNode } of nodes) {
      const handler = coveredNode.compensate === undefined ? undefined : graph.nodes.get(coveredNode.compensate)
      if (handler) nodes.add(handler)
    }
    return { frameId, graph, nodes }
  })
}

interface ReadFrame extends CoveredFrame {
  state: EngineState
  /** The node whose output is the decision. */
  except: string
}

function addValues(values: Map<string, string>, { graph, state, frameId, nodes, except }: ReadFrame): void {
  const frames = listEnclosingFrames(frameId)
  const bindings = [...nodes].flatMap(listBindings)
  for (const path of bindings.flatMap(({ inputReads }) => inputReads))
    values.set(['input', ...path].join('.'), hashValue(graph, readInput(state.input, path)))
  const givenIds = [...nodes].map(({ node }) => node.id).filter(id => isGiven(state, buildNodeKey(frameId, id)))
  for (const id of new Set([...bindings.flatMap(binding => binding.nodes), ...givenIds])) {
    const key = frames.map(frame => buildNodeKey(frame, id)).find(nodeKey => findOutcome(state, nodeKey))
    const outcome = key === undefined || key === except ? undefined : findOutcome(state, key)
    if (outcome) values.set(`nodes.${key}`, hashOutcome(graph, outcome))
  }
  for (const frame of frames) {
    const vars = state.frames[frame]?.vars ?? {}
    if (Object.keys(vars).length > 0) values.set(frame, hashValue(graph, vars))
  }
}

/** Returns the outcome of a node, or the output that a person supplied for it. */
function findOutcome(state: EngineState, key: string): Pick<NodeState, 'output' | 'error' | 'port'> | undefined {
  const { frameId, nodeId } = splitKey(key)
  const node = state.frames[frameId]?.nodes[nodeId]
  if (node?.status === 'done' || node?.status === 'failed') return node
  return isGiven(state, key) ? { output: state.given?.[key], port: DEFAULT_PORT } : undefined
}

function hashOutcome(
  graph: Graph,
  { output = null, error, port }: Pick<NodeState, 'output' | 'error' | 'port'>,
): string {
  const hashed = hashValue(graph, output)
  return hashed === UNHASHED ? UNHASHED : hashJson([hashed, error ?? null, port ?? null])
}

const listBindings = ({ bindings, body }: GraphNode): CompiledBinding[] => [
  ...bindings.values(),
  ...(body ? [...body.nodes.values()].flatMap(listBindings) : []),
]

/** Reads a value from the input. Distinguishes an absent field from null. */
function readInput(input: JsonValue, path: string[]): JsonValue {
  let value: JsonValue | undefined = input
  for (const name of path)
    value =
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
        ? value[name]
        : undefined
  return value === undefined ? [] : [value]
}

function hashValue({ hashes }: Graph, value: JsonValue): string {
  if (exceedsJsonSize(value, MAX_VALUE_CHARS)) return UNHASHED
  if (typeof value !== 'object' || value === null) return hashJson(value)
  const hash = hashes.get(value) ?? hashJson(value)
  hashes.set(value, hash)
  return hash
}

/** Hashes the definition of the nodes. Includes their edges, because edges determine when a node runs. */
function hashDefinition(graph: Graph, frames: CoveredFrame[]): string {
  const parts = frames.map(({ frameId, graph: around, nodes }) => {
    const edges = [...around.nodes.values()].flatMap(from =>
      from.outgoing
        .filter(({ to }) => nodes.has(from) || nodes.has(to))
        .map(({ port, to }) => `${from.node.id} ${port} ${to.node.id}`),
    )
    const covered = Object.fromEntries([...nodes].map(({ node }) => [node.id, omitTimes(node)]))
    return { path: parseGraphPath(frameId).join('/'), nodes: covered, edges: edges.toSorted() }
  })
  const refs = new Map<string, string>()
  for (const { nodes } of frames) for (const { node } of nodes) addPins(refs, graph.pins, node)
  return hashJson({ parts, pins: Object.fromEntries(refs) })
}

/** Removes the fields that set when people are asked and how many iterations run concurrently. */
function omitTimes(node: PathwayNode): object {
  if (node.type === 'human') {
    const { due: _due, remind: _remind, calendar: _calendar, ...rest } = node
    return rest
  }
  if (node.type === 'loop') return { ...node, body: omitBodyTimes(node.body) }
  if (node.type !== 'map') return node
  const { concurrency: _concurrency, ...rest } = node
  return { ...rest, body: omitBodyTimes(rest.body) }
}

const omitBodyTimes = ({ nodes, edges }: { nodes: PathwayNode[]; edges: object[] }): object => ({
  nodes: nodes.map(omitTimes),
  edges,
})

/** Adds the pinned versions of everything a node refers to, directly or indirectly. */
function addPins(refs: Map<string, string>, pins: Pins, node: PathwayNode): void {
  const bodies = node.type === 'map' || node.type === 'loop' ? listNodes(node.body) : []
  for (const inner of bodies) addPins(refs, pins, inner)
  if (!('ref' in node) || node.ref === undefined || refs.has(node.ref)) return
  const pinned = node.type === 'neuron' ? pins.neurons?.[node.ref] : pins.subflows[node.ref]
  if (!pinned) return
  refs.set(node.ref, `${pinned.id}@${pinned.version}`)
  if ('definition' in pinned) for (const inner of listNodes(pinned.definition)) addPins(refs, pins, inner)
}
