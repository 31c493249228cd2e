import type { Label } from '../labels/labels.ts'
import type { DecisionCovers, NodeError, NodeMilestone, NodeStatus } from '../../runs/nodes.ts'
import type { JsonValue, Problem } from '../../shared/json/json.ts'
import type { Command } from '../engine/commands.ts'
import type { EngineState } from '../engine/state.ts'
import type { Pins } from '../graph.ts'

/** A node of the run that is forked, as it was recorded. */
export interface RecordedNode {
  key: string
  node_id: string
  node_type: string
  status: NodeStatus
  port?: string
  /** Absent for a completed node whose output was not kept. */
  output?: JsonValue
  labels?: Label[]
  /** Whether a person has given the output. */
  is_given?: true
  /** What the decision in the node was about. */
  covers?: DecisionCovers
  error?: NodeError
}

export interface ForkRequest {
  /** Key of the node from which the fork goes on. Without it, the fork goes on with all that was not completed. */
  from?: string
  /** The input of the fork. */
  input: JsonValue
  /** The run that is forked, as its expressions see it. */
  run: EngineState['run']
  /** In the order of their end. */
  nodes: RecordedNode[]
  /** Outputs that replace recorded ones, by node key. */
  outputs?: Record<string, JsonValue>
  /** What the references of the definition stand for. */
  pins?: Pins
  /** Time of the fork, ISO 8601. */
  at: string
}

export type Deadline = Extract<Command, { type: 'deadline' }>

/** A node that the fork takes over. `is_replaced`: with another output. */
export interface ReusedNode {
  key: string
  node_id: string
  node_type: string
  is_replaced: boolean
}

/** Why a node runs in the fork. */
export type RunReason = 'fork_point' | 'asked_again' | 'not_completed' | 'compensated' | 'after'

/** A node in which people decide again, because what they have decided about is different in the fork. */
export interface AskedAgain {
  key: string
  node_id: string
  node_type: string
  /** Names of what differs: `input.amount`, `nodes.quote`, `definition` for that of the nodes. */
  changed: string[]
}

export interface ForkPlan {
  problems: ForkProblem[]
  /** The state that the fork starts with. */
  state: EngineState
  /** Time limits of `map` and `loop` nodes in which the fork begins. */
  deadlines: Deadline[]
  /** The last milestone of each node that is computed again, or whose output was replaced. */
  milestones: NodeMilestone[]
  /** Keys of recorded nodes that are taken over as they are, with those inside them. */
  copied: string[]
  reused: ReusedNode[]
  asked_again: AskedAgain[]
  /** Nodes whose decision the fork takes over. */
  kept_decisions: string[]
  /** Nodes that run: first those that start at once, then those that may follow. In a `map` or `loop` that has not begun, none. */
  runs: { key: string; node_id: string; node_type: string; reason: RunReason }[]
  /** Effects and child runs that the forked run had begun and that happen a second time. */
  repeated: RepeatedEffect[]
}

export interface RepeatedEffect {
  key: string
  node_id: string
  node_type: string
  status: NodeStatus
  /** Keys of the decisions that the fork takes over and that the effect comes after. */
  decided_at: string[]
}

/** `state`: the run is not where the request assumes it. */
export type ForkProblem = Problem & { is_state?: true }

/** What the engine comes to when it is driven up to the fork point. */
export interface Driven extends Pick<ForkPlan, 'state' | 'deadlines'> {
  /** The last milestone of each node. */
  reached: NodeMilestone[]
}

/** Nodes that the engine computes itself: they are computed again from what was taken over. */
export const COMPUTED: ReadonlySet<string> = new Set(['transform', 'switch', 'join', 'end', 'map', 'loop'])
