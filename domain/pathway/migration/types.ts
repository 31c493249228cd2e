import type { NodeMilestone } from '../../jobs.ts'
import type { Problem } from '../../json.ts'
import type { EngineState } from '../engine/state.ts'

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
}

/** How an activation of a node stands in the run that moves. */
export type Reached = 'active' | 'done' | 'failed' | 'dropped'
