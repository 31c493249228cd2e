import type { Label } from '../labels/labels.ts'
import type { NodeError, ReceiptLine } from '../../runs/nodes.ts'
import type { JsonObject, JsonValue } from '../../shared/json/json.ts'
import type { PagedList } from './paged-list.ts'

/** State of one node in one frame. Absent until an edge reaches the node. */
export interface NodeState {
  /** `skipped`: all incoming edges are dead. `dropped`: cancelled before it finished. */
  status: 'active' | 'done' | 'failed' | 'skipped' | 'dropped'
  output?: JsonValue
  /** Sources of untrusted content in the output. Of an active node, those that it reads. */
  labels?: Label[]
  error?: NodeError
  port?: string
}

/** Decided incoming edges of a node: the sources of those taken, and the number of those never taken. */
export interface Arrivals {
  from: string[]
  dead: number
}

/** One execution of a graph: the pathway itself (id ''), or one iteration of a `map` or `loop` (`each[3]`). */
export interface FrameState {
  id: string
  vars: JsonObject
  /** Labels of the variable that holds content: the item of a `map`, or the last result of a `loop`. */
  labels?: Label[]
  nodes: Record<string, NodeState>
  arrivals: Record<string, Arrivals>
  /** Number of active nodes. */
  open: number
  /** Approximate length of its nodes' outputs as JSON. */
  outputChars?: number
}

/** Progress of an active `map` or `loop`. */
export interface IterationProgress {
  items?: JsonValue[]
  /** Outputs of a `map`, in item order. */
  outputs?: PagedList<JsonValue>
  /** Labels of the outputs of a `map`. */
  labels?: Label[]
  /** Index of the next iteration. */
  next: number
  /** Number of active iterations. */
  open: number
}

/** A completed node with its compensation handler. */
export interface Compensation {
  key: string
  node_id: string
  handler: string
  /** Ids of the nodes whose bodies contain the handler, outermost first. */
  path: string[]
  with?: JsonObject
  error?: NodeError
}

/** A failed call that may have had its effect all the same. Nothing compensates it: the receipt of a stopped run names it. */
export interface Doubt {
  key: string
  node_id: string
  in_doubt: true
}

/** State of a run as plain JSON. It is kept across continue-as-new. */
export interface EngineState {
  input: JsonValue
  run: { id: string; requester: string; people: string[]; labels?: Label[] }
  phase: 'running' | 'stopping' | 'compensating' | 'over'
  frames: Record<string, FrameState>
  iterations: Record<string, IterationProgress>
  /** Keys of commands without an outcome. */
  active: Record<string, true>
  /** Active keys that were cancelled. */
  stopping: Record<string, true>
  /** What is undone or told when the run stops, in the order of its end. */
  compensations: PagedList<Compensation | Doubt>
  receipt: PagedList<ReceiptLine>
  outcome?: 'completed' | 'failed' | 'cancelled'
  error?: NodeError
  activations: number
  /** Approximate length of all stored outputs as JSON. */
  outputChars?: number
  /** Keys that are ready to start after a `yield`. */
  ready: string[]
  /** Outputs that a person has given, by key: such a node is completed with it instead of being started. */
  given?: Record<string, JsonValue>
}

/** Whether a person has given the output of a node that was not reached yet. */
export const isGiven = ({ given: outputs }: EngineState, key: string): boolean =>
  outputs !== undefined && Object.hasOwn(outputs, key)

export function createInitialState(input: JsonValue, run: EngineState['run']): EngineState {
  return {
    input,
    run,
    phase: 'running',
    frames: {},
    iterations: {},
    active: {},
    stopping: {},
    compensations: [],
    receipt: [],
    activations: 0,
    ready: [],
  }
}
