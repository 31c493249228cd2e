import type { Label } from '../labels/labels.ts'
import type { DecisionCovers, NodeError, NodeMilestone, NodeStatus } from '../../runs/nodes.ts'
import type { JsonValue, Problem } from '../../shared/json/json.ts'
import type { Command } from '../engine/commands.ts'
import type { EngineState } from '../engine/state.ts'
import type { Pins } from '../graph.ts'

/** A recorded node of the original run. */
export interface RecordedNode {
  key: string
  node_id: string
  node_type: string
  status: NodeStatus
  port?: string
  /** Absent for a completed node whose output was not stored. */
  output?: JsonValue
  labels?: Label[]
  /** Whether a person supplied the output. */
  is_given?: true
  /** Scope of the node's decision. */
  covers?: DecisionCovers
  error?: NodeError
}

export interface ForkRequest {
  /**
   * Key of the node from which the fork continues. Default: the fork continues with everything that was not
   * completed.
   */
  from?: string
  /** The input of the fork. */
  input: JsonValue
  /** The original run, as its expressions see it. */
  run: EngineState['run']
  /** In the order in which they ended. */
  nodes: RecordedNode[]
  /** Outputs that replace recorded ones, by node key. */
  outputs?: Record<string, JsonValue>
  /** The pinned versions of the definition's references. */
  pins?: Pins
  /** Time of the fork (ISO 8601). */
  at: string
}

export type Deadline = Extract<Command, { type: 'deadline' }>

/** A node reused by the fork. `is_replaced`: its output was replaced. */
export interface ReusedNode {
  key: string
  node_id: string
  node_type: string
  is_replaced: boolean
}

/** Why a node runs in the fork. */
export type RunReason = 'fork_point' | 'asked_again' | 'not_completed' | 'compensated' | 'after'

/** A node in which people decide again, because values covered by their decision differ in the fork. */
export interface AskedAgain {
  key: string
  node_id: string
  node_type: string
  /** Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the definition of the nodes. */
  changed: string[]
}

export interface ForkPlan {
  problems: ForkProblem[]
  /** The initial state of the fork. */
  state: EngineState
  /** Time limits of `map` and `loop` nodes in which the fork starts. */
  deadlines: Deadline[]
  /** The last milestone of each recomputed node or replaced output. */
  milestones: NodeMilestone[]
  /** Keys of recorded nodes that are reused unchanged, including the nodes inside a reused `map` or `loop`. */
  copied: string[]
  reused: ReusedNode[]
  asked_again: AskedAgain[]
  /** Nodes whose decision the fork reuses. */
  kept_decisions: string[]
  /**
   * Nodes that run: first the nodes that start immediately, then the nodes that may follow. Nodes inside an unstarted
   * `map` or `loop` are not listed.
   */
  runs: { key: string; node_id: string; node_type: string; reason: RunReason }[]
  /** Effects and child runs that the original run had started and that the fork repeats. */
  repeated: RepeatedEffect[]
}

export interface RepeatedEffect {
  key: string
  node_id: string
  node_type: string
  status: NodeStatus
  /** Keys of the reused decisions before the effect. */
  decided_at: string[]
}

/** `is_state`: the run is not in the state that the request assumes. */
export type ForkProblem = Problem & { is_state?: true }

/** State after the engine was replayed up to the fork point. */
export interface Driven extends Pick<ForkPlan, 'state' | 'deadlines'> {
  /** The last milestone of each node. */
  reached: NodeMilestone[]
}

/** Nodes that the engine computes itself. A fork recomputes them from reused outputs. */
export const COMPUTED: ReadonlySet<string> = new Set(['transform', 'switch', 'join', 'end', 'map', 'loop'])
