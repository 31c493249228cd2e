import type { NodeError, ReceiptLine } from '../../jobs.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { Pages } from './pages.ts'

/** What is known of one node in one frame. Absent: nothing has reached it yet. */
export interface NodeState {
  /** `done` has an output, `failed` an error; `skipped` lies on a path not taken; `dropped` lost a race. */
  status: 'active' | 'done' | 'failed' | 'skipped' | 'dropped'
  output?: JsonValue
  error?: NodeError
  port?: string
}

/** Edges that have reached a node so far: from where they came taken, and how many will never be. */
export interface Arrivals {
  from: string[]
  dead: number
}

/** One visit of a graph: the pathway itself (id ''), or one turn of a `map` or `loop` (`each[3]`). */
export interface FrameState {
  id: string
  vars: JsonObject
  nodes: Record<string, NodeState>
  arrivals: Record<string, Arrivals>
  /** Nodes of this frame that are active. */
  open: number
  /** About how long its nodes' outputs are as JSON, in characters. */
  kept?: number
}

/** A `map` or `loop` in progress, by its key. */
export interface Repetition {
  items?: JsonValue[]
  /** Of a `map`, in item order. */
  outputs?: Pages<JsonValue>
  next: number
  open: number
}

/** A finished effect that its pathway knows how to undo. */
export interface Undo {
  key: string
  node_id: string
  handler: string
  /** Address of the graph the handler lives in, as the ids of the nodes that hold it. */
  path: string[]
  with?: JsonObject
  error?: NodeError
}

/** The whole run, as plain JSON: it survives continue-as-new with waits open. */
export interface EngineState {
  input: JsonValue
  run: { id: string; requester: string }
  phase: 'running' | 'stopping' | 'undoing' | 'over'
  frames: Record<string, FrameState>
  repetitions: Record<string, Repetition>
  /** Keys of commands without an answer yet. */
  active: Record<string, true>
  /** Of those, the ones told to stop. */
  stopping: Record<string, true>
  /** In the order things were done. */
  undo: Pages<Undo>
  receipt: Pages<ReceiptLine>
  outcome?: 'completed' | 'failed' | 'cancelled'
  error?: NodeError
  visits: number
  /** About how long all outputs that are kept are as JSON, in characters. */
  kept?: number
  /** Keys ready to begin, when a `yield` interrupted the work. */
  ready: string[]
}

/** The state before anything has happened. */
export function initialState(input: JsonValue, run: EngineState['run']): EngineState {
  return {
    input,
    run,
    phase: 'running',
    frames: {},
    repetitions: {},
    active: {},
    stopping: {},
    undo: [],
    receipt: [],
    visits: 0,
    ready: [],
  }
}
