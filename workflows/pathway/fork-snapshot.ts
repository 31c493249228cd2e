import type { NodeMilestone } from '../../domain/runs/jobs.ts'
import type { Command } from '../../domain/pathways/engine/commands.ts'
import type { EngineState } from '../../domain/pathways/engine/state.ts'
import { buildRunSnapshot } from '../shared/fork-snapshot.ts'
import type { PathwaySnapshot } from './controller.ts'

/**
 * The snapshot with which a fork begins, as a run begins after continue-as-new.
 * @param timers time limits in progress
 * @param nodes that were taken over, for operators
 */
export const buildForkSnapshot = (engine: EngineState, timers: Command[], nodes: NodeMilestone[]): PathwaySnapshot => ({
  ...buildRunSnapshot(nodes),
  engine,
  resumable: timers,
  bufferedEvents: [],
})
