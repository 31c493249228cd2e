import type { Label } from '../labels/labels.ts'
import type { NodeError, ReceiptLine } from '../../runs/nodes.ts'
import type { JsonObject, JsonValue } from '../../shared/json/json.ts'
import type { PagedList } from './paged-list.ts'

/** State of a node in a frame. Absent until an edge reaches the node. */
export interface NodeState {
  /** `skipped`: all incoming edges are dead. `dropped`: cancelled before it finished. */
  status: 'active' | 'done' | 'failed' | 'skipped' | 'dropped'
  output?: JsonValue
  /** Sources of untrusted content in the output, or in the inputs of an active node. */
  labels?: Label[]
  error?: NodeError
  port?: string
}

/** Decided incoming edges of a node: the sources of the edges taken, and the number of dead edges. */
export interface Arrivals {
  from: string[]
  dead: number
}

/** One execution of a graph: the pathway itself (id ''), or one iteration of a `map` or `loop` (`each[3]`). */
export interface FrameState {
  id: string
  vars: JsonObject
  /** Labels of the content variable: the item of a `map`, or the last result of a `loop`. */
  labels?: Label[]
  nodes: Record<string, NodeState>
  arrivals: Record<string, Arrivals>
  /** Number of active nodes. */
  open: number
  /** Approximate JSON length of its nodes' outputs. */
  outputChars?: number
}

/** Progress of an active `map` or `loop`. */
export interface IterationProgress {
  items?: JsonValue[]
  /** Outputs of a `map`, in item order. */
  outputs?: PagedList<JsonValue>
  /** Labels of a `map`'s outputs. */
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

/** A failed call that may have taken effect. It is not compensated; the receipt of a stopped run lists it. */
export interface Doubt {
  key: string
  node_id: string
  in_doubt: true
}

/** Run state as plain JSON. It is kept across continue-as-new. */
export interface EngineState {
  input: JsonValue
  run: {
    id: string
    requester: string
    people: string[]
    labels?: Label[]
    /** Whether everyone may answer a task whose assignees evaluate to no one. Set in runs of an earlier version. */
    allows_no_assignees?: true
  }
  phase: 'running' | 'stopping' | 'compensating' | 'over'
  frames: Record<string, FrameState>
  iterations: Record<string, IterationProgress>
  /** Keys of commands that have no outcome yet. */
  active: Record<string, true>
  /** Active keys that were cancelled. */
  stopping: Record<string, true>
  /** Entries to compensate or report when the run stops, in the order in which the nodes ended. */
  compensations: PagedList<Compensation | Doubt>
  receipt: PagedList<ReceiptLine>
  outcome?: 'completed' | 'failed' | 'cancelled'
  error?: NodeError
  activations: number
  /** Approximate JSON length of all stored outputs. */
  outputChars?: number
  /** Keys that are ready to start after a `yield`. */
  ready: string[]
  /** Outputs supplied by people, by key. A node with a supplied output completes with it instead of starting. */
  given?: Record<string, JsonValue>
}

/** Returns whether a person has supplied the output of a node that the run hasn't reached yet. */
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
