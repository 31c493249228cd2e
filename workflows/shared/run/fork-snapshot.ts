import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import { NOTHING_SHOWN } from './messages.ts'
import type { RunSnapshot } from './run-controller.ts'

/**
 * The snapshot of a run that has done nothing yet, with which a fork begins as after continue-as-new.
 * @param nodes that were taken over, for operators
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
