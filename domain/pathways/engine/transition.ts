import { type Label, type Labels, buildLabelField } from '../labels/labels.ts'
import type { NodeError, NodeMilestone, NodeStatus, ReceiptLine } from '../../runs/nodes.ts'
import type { JsonObject, JsonValue } from '../../shared/json/json.ts'
import type { Graph, GraphNode } from '../graph.ts'
import { buildNodeKey, getNode, parseFrameId, splitKey } from './node-keys.ts'
import type { Command } from './commands.ts'
import { exceedsJsonSize, measureJson } from '../../shared/json/json-size.ts'
import { append } from './paged-list.ts'
import type { EngineState, FrameState, NodeState, IterationProgress } from './state.ts'

/** Milestones omit outputs whose JSON is longer than this. */
const MAX_PREVIEW_CHARS = 2_000
/** Maximum JSON length of all stored outputs of a run. Continue-as-new transfers all of them. */
export const MAX_STORED_CHARS = 64_000_000

/** Operations of `map` and `loop`. They are injected because they depend on the scheduler, which calls them. */
export interface IterationHandlers {
  startMap(transition: Transition, key: string, items: JsonValue[]): void
  startLoop(transition: Transition, key: string): void
  /** Starts the next iteration, or finishes the node. */
  completeFrame(transition: Transition, frameId: string): void
  failFrame(transition: Transition, frameId: string, error: NodeError): void
}

/** Computes the next state, commands and milestones. Copies parts of the state before changing them. */
export class Transition {
  readonly graph: Graph
  readonly iterationHandlers: IterationHandlers
  /** Time of the current event (ISO 8601). */
  at = ''
  /** Number of nodes started in this call. */
  started = 0
  readonly state: EngineState
  readonly commands: Command[] = []
  readonly milestones: NodeMilestone[] = []
  /** Keys that are ready to start. */
  readonly ready: string[]
  private readonly copies = new Set<object>()
  private readonly nodes = new Map<string, GraphNode>()

  constructor(graph: Graph, state: EngineState, iterationHandlers: IterationHandlers) {
    this.graph = graph
    this.iterationHandlers = iterationHandlers
    this.ready = [...state.ready]
    this.state = {
      ...state,
      frames: { ...state.frames },
      iterations: { ...state.iterations },
      active: { ...state.active },
      stopping: { ...state.stopping },
    }
  }

  node(key: string): GraphNode {
    const cachedNode = this.nodes.get(key)
    if (cachedNode) return cachedNode
    const node = getNode(this.graph, key)
    this.nodes.set(key, node)
    return node
  }

  /** Returns a mutable copy of the frame. */
  frame(id: string): FrameState {
    const frame = this.state.frames[id]
    if (!frame) throw new Error(`no frame ${id}`)
    if (this.copies.has(frame)) return frame
    const copy = { ...frame, nodes: { ...frame.nodes }, arrivals: { ...frame.arrivals } }
    this.copies.add(copy)
    return (this.state.frames[id] = copy)
  }

  iterationProgress(key: string): IterationProgress {
    const progress = this.state.iterations[key]
    if (!progress) throw new Error(`no iterations at ${key}`)
    if (this.copies.has(progress)) return progress
    const copy = { ...progress }
    this.copies.add(copy)
    return (this.state.iterations[key] = copy)
  }

  /** Returns whether the run and the frame's `map` or `loop` are still running. */
  isLive(frameId: string): boolean {
    if (this.state.phase !== 'running') return false
    return frameId === '' || this.state.iterations[parseFrameId(frameId).key] !== undefined
  }

  /** Deletes a frame once all its cancelled activations have ended. */
  closeFrame(id: string): void {
    const inside = `${id}/`
    if (Object.keys(this.state.stopping).some(key => key.startsWith(inside))) return
    this.state.outputChars = (this.state.outputChars ?? 0) - (this.state.frames[id]?.outputChars ?? 0)
    delete this.state.frames[id]
  }

  /** Adds the size of an output. Returns false if the run exceeds its limit. */
  countOutput(frameId: string, output: JsonValue): boolean {
    const length = measureJson(output, MAX_STORED_CHARS)
    const frame = this.frame(frameId)
    frame.outputChars = (frame.outputChars ?? 0) + length
    this.state.outputChars = (this.state.outputChars ?? 0) + length
    return this.state.outputChars <= MAX_STORED_CHARS
  }

  openFrame(id: string, vars: JsonObject, labels: Labels = []): FrameState {
    const frame: FrameState = { id, vars, ...buildLabelField(labels), nodes: {}, arrivals: {}, open: 0 }
    this.copies.add(frame)
    return (this.state.frames[id] = frame)
  }

  setNode(key: string, next: NodeState): void {
    const { frameId, nodeId } = splitKey(key)
    this.frame(frameId).nodes[nodeId] = next
  }

  /** Returns the labels of a started node. */
  labels(key: string): Label[] {
    const { frameId, nodeId } = splitKey(key)
    return this.state.frames[frameId]?.nodes[nodeId]?.labels ?? []
  }

  /** Marks a node as ready to start, unless the run is stopping. */
  enqueue(frameId: string, nodeId: string): void {
    if (this.state.phase !== 'running') return
    const frame = this.frame(frameId)
    frame.nodes[nodeId] = { status: 'active' }
    frame.open++
    this.ready.push(buildNodeKey(frameId, nodeId))
  }

  addReceiptLine(line: ReceiptLine): void {
    this.state.receipt = append(this.state.receipt, line)
  }

  emitMilestone(
    key: string,
    status: NodeStatus,
    more: Pick<NodeMilestone, 'port' | 'input' | 'output' | 'error' | 'covers' | 'is_given'> = {},
  ): void {
    const { node } = this.node(key)
    const isEnded = status === 'completed' || status === 'failed'
    this.milestones.push({
      key,
      node_id: node.id,
      node_type: node.type,
      title: node.title?.includes('${') ? undefined : node.title,
      status,
      at: this.at,
      port: more.port,
      ...(more.input !== undefined && { input: more.input }),
      output: more.is_given || !exceedsJsonSize(more.output ?? null, MAX_PREVIEW_CHARS) ? more.output : undefined,
      ...(isEnded && buildLabelField(this.labels(key))),
      error: more.error,
      ...(more.covers && { covers: more.covers }),
      ...(more.is_given && { is_given: more.is_given }),
    })
  }
}
