import type { NodeMilestone } from '../../runs/nodes.ts'
import type { Problem } from '../../shared/json/json.ts'
import type { EngineState } from '../engine/state.ts'
import type { AskedAgain } from '../fork/types.ts'

/** Why a run cannot move. `pointer` points into the new definition; '' stands for the run itself. */
export interface MigrationProblem extends Problem {
  /** The node activation with the problem: `each[3]/review`. */
  node_key?: string
}

export interface MigrationPlan {
  /** Empty if the run can move. */
  problems: MigrationProblem[]
  /** The run state under the new definition. Only valid if there are no problems. */
  state: EngineState
  /** Milestones of nodes that have become unreachable. */
  milestones: NodeMilestone[]
  /** Nodes in which people decide again, because what their decision covered differs in the new version. */
  asked_again: AskedAgain[]
  /**
   * Keys of all nodes that return to "not reached", so that a decision can be repeated. Nodes inside them are dropped
   * too, but not listed.
   */
  dropped: string[]
}

/** Status of a node activation in the moving run. */
export type ReachedStatus = 'active' | 'done' | 'failed' | 'dropped'
