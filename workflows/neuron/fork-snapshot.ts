import type { NodeMilestone } from '../../domain/jobs.ts'
import { createLoopState } from '../../domain/neurons/loop.ts'
import type { RunLimits } from '../../domain/neurons/run-spec.ts'
import { NOTHING_SHOWN } from '../shared/messages.ts'
import type { NeuronSnapshot } from './controller.ts'

/**
 * The snapshot with which a fork of an agent begins: its next call of the model is that of `step`. What the steps before it
 * have cost is not part of its budget.
 */
export const buildForkSnapshot = (step: number, limits: RunLimits, nodes: NodeMilestone[]): NeuronSnapshot => ({
  loop: { ...createLoopState(limits), step: step - 1 },
  nodes,
  interventions: {},
  projections: { nodes: [], interventions: [], status: 'running', seq: 1 },
  queue: [],
  deferred: [],
  paused: false,
  visible: NOTHING_SHOWN,
})
