import type { NodeError, NodeMilestone, NodeStatus, ReceiptLine } from '../../jobs.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { Graph, GraphNode } from '../graph.ts'
import { keyOf, nodeAt, ownerOf, splitKey } from './address.ts'
import type { Command } from './commands.ts'
import { fits, measure } from './fits.ts'
import { withLast } from './pages.ts'
import type { EngineState, FrameState, NodeState, Repetition } from './state.ts'

/** Outputs longer than this as JSON are left out of milestones; the node's value itself is untouched. */
const PREVIEW_CHARACTERS = 2_000
/** What the outputs of a run may come to as JSON; all of them travel when it continues as new. */
export const MAX_KEPT_CHARACTERS = 64_000_000

/** What `map` and `loop` do, for code that they themselves build on. */
export interface Iterations {
  beginMap(draft: Draft, key: string, items: JsonValue[]): void
  beginLoop(draft: Draft, key: string): void
  /** A frame is over: the next begins, or the node around it ends. */
  frameDone(draft: Draft, frameId: string): void
  frameFailed(draft: Draft, frameId: string, error: NodeError): void
}

/**
 * The next state in the making. What is changed is copied first, once, so the state that came in stays as it was.
 * Besides the state it gathers what to do (`commands`) and what to tell (`milestones`).
 */
export class Draft {
  readonly graph: Graph
  readonly iterations: Iterations
  /** Time of the event that is being taken, ISO 8601. */
  at = ''
  /** Nodes begun so far. */
  begun = 0
  readonly state: EngineState
  readonly commands: Command[] = []
  readonly milestones: NodeMilestone[] = []
  /** Keys whose turn has come. */
  readonly ready: string[]
  private readonly copied = new Set<object>()
  private readonly found = new Map<string, GraphNode>()

  constructor(graph: Graph, state: EngineState, iterations: Iterations) {
    this.graph = graph
    this.iterations = iterations
    this.ready = [...state.ready]
    this.state = {
      ...state,
      frames: { ...state.frames },
      repetitions: { ...state.repetitions },
      active: { ...state.active },
      stopping: { ...state.stopping },
    }
  }

  node(key: string): GraphNode {
    const known = this.found.get(key)
    if (known) return known
    const node = nodeAt(this.graph, key)
    this.found.set(key, node)
    return node
  }

  /** A frame that may be changed. */
  frame(id: string): FrameState {
    const found = this.state.frames[id]
    if (!found) throw new Error(`no frame ${id}`)
    if (this.copied.has(found)) return found
    const copy = { ...found, nodes: { ...found.nodes }, arrivals: { ...found.arrivals } }
    this.copied.add(copy)
    return (this.state.frames[id] = copy)
  }

  repetition(key: string): Repetition {
    const found = this.state.repetitions[key]
    if (!found) throw new Error(`nothing repeats at ${key}`)
    if (this.copied.has(found)) return found
    const copy = { ...found }
    this.copied.add(copy)
    return (this.state.repetitions[key] = copy)
  }

  /** Whether a frame goes on: neither the run nor a `map` or `loop` around it has been brought down. */
  isLive(frameId: string): boolean {
    if (this.state.phase !== 'running') return false
    return frameId === '' || this.state.repetitions[ownerOf(frameId).key] !== undefined
  }

  /** Forgets a frame, unless something in it was told to stop and has not ended yet. */
  closeFrame(id: string): void {
    const inside = `${id}/`
    if (Object.keys(this.state.stopping).some(key => key.startsWith(inside))) return
    this.state.kept = (this.state.kept ?? 0) - (this.state.frames[id]?.kept ?? 0)
    delete this.state.frames[id]
  }

  /** Counts an output that is kept in a frame. False when the run keeps too much. */
  keep(frameId: string, output: JsonValue): boolean {
    const length = measure(output, MAX_KEPT_CHARACTERS)
    const frame = this.frame(frameId)
    frame.kept = (frame.kept ?? 0) + length
    this.state.kept = (this.state.kept ?? 0) + length
    return this.state.kept <= MAX_KEPT_CHARACTERS
  }

  openFrame(id: string, vars: JsonObject): FrameState {
    const frame: FrameState = { id, vars, nodes: {}, arrivals: {}, open: 0 }
    this.copied.add(frame)
    return (this.state.frames[id] = frame)
  }

  setNode(key: string, next: NodeState): void {
    const { frameId, nodeId } = splitKey(key)
    this.frame(frameId).nodes[nodeId] = next
  }

  /** Puts a node in line to begin; a run that is going down begins nothing. */
  enqueue(frameId: string, nodeId: string): void {
    if (this.state.phase !== 'running') return
    const frame = this.frame(frameId)
    frame.nodes[nodeId] = { status: 'active' }
    frame.open++
    this.ready.push(keyOf(frameId, nodeId))
  }

  /** Adds a line to what a failed or cancelled run leaves behind. */
  account(line: ReceiptLine): void {
    this.state.receipt = withLast(this.state.receipt, line)
  }

  tell(key: string, status: NodeStatus, more: { port?: string; output?: JsonValue; error?: NodeError } = {}): void {
    const { node } = this.node(key)
    this.milestones.push({
      key,
      node_id: node.id,
      node_type: node.type,
      title: node.title?.includes('${') ? undefined : node.title,
      status,
      at: this.at,
      port: more.port,
      output: more.output !== undefined && fits(more.output, PREVIEW_CHARACTERS) ? more.output : undefined,
      error: more.error,
    })
  }
}
