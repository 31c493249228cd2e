import type { NodeMilestone } from '../../domain/runs/jobs.ts'
import { createLoopState } from '../../domain/agents/loop.ts'
import type { RunLimits } from '../../domain/agents/run-spec.ts'
import { buildRunSnapshot } from '../shared/fork-snapshot.ts'
import type { NeuronSnapshot } from './controller.ts'

/**
 * The snapshot with which a fork of an agent begins: its next call of the model is that of `step`. What the steps before it
 * have cost is not part of its budget.
 */
export const buildForkSnapshot = (step: number, limits: RunLimits, nodes: NodeMilestone[]): NeuronSnapshot => ({
  ...buildRunSnapshot(nodes),
  loop: { ...createLoopState(limits), step: step - 1 },
})
