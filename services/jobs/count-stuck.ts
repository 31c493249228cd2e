import type { Temporal } from '../temporal.ts'
import type { JobsService } from './types.ts'

/** Counts stuck runs by a search attribute that Temporal sets after several consecutive failures. */
export const createCountStuck =
  (temporal: Temporal): JobsService['countStuck'] =>
  async ({ workspace_id }) => {
    const query = [
      'TemporalReportedProblems IS NOT NULL',
      "ExecutionStatus = 'Running'",
      `TaskQueue = ${JSON.stringify(temporal.taskQueue)}`,
      `GanglionWorkspace = ${JSON.stringify(workspace_id)}`,
    ].join(' AND ')
    const { count } = await temporal.call(({ workflow }) => workflow.count(query))
    return count
  }
