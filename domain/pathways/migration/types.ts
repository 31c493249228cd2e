import type { NodeMilestone } from '../../runs/nodes.ts'
import type { Problem } from '../../shared/json/json.ts'
import type { EngineState } from '../engine/state.ts'
import type { AskedAgain } from '../fork/types.ts'

/** Why a run cannot move. `pointer` leads into the new definition; it is '' for the run itself. */
export interface MigrationProblem extends Problem {
  /** The activation of a node that the problem is about: `each[3]/review`. */
  node_key?: string
}

export interface MigrationPlan {
  /** Empty when the run can move. */
  problems: MigrationProblem[]
  /** The state of the run under the new definition. Only of use without problems. */
  state: EngineState
  /** Milestones of nodes that no edge can reach any more. */
  milestones: NodeMilestone[]
  /** Nodes in which people decide again, since what they decided about is different in the new version. */
  asked_again: AskedAgain[]
  /** Keys of all nodes that the run returns from to ask again. Those inside them are meant too. */
  dropped: string[]
}

/** How an activation of a node stands in the run that moves. */
export type ReachedStatus = 'active' | 'done' | 'failed' | 'dropped'
