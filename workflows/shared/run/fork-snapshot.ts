import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import { NOTHING_SHOWN } from './messages.ts'
import type { RunSnapshot } from './run-controller.ts'

/**
 * Builds the snapshot of a run that has done nothing yet. A fork starts from it, like a run after continue-as-new.
 * @param nodes reused nodes, to show to operators
 */
export const buildRunSnapshot = (nodes: NodeMilestone[]): RunSnapshot<never, never> => ({
  nodes,
  interventions: {},
  projections: { nodes: [], interventions: [], status: 'running', seq: 1 },
  queue: [],
  deferred: [],
  paused: false,
  visible: NOTHING_SHOWN,
})
