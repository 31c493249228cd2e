import type { Temporal } from '../../shared/temporal.ts'
import type { JobsService } from '../jobs.ts'

/**
 * Builds the visibility query for stuck runs. Uses a search attribute that Temporal sets after several consecutive
 * failures.
 */
export const stuckRuns = ({ taskQueue }: Temporal): string =>
  [
    'TemporalReportedProblems IS NOT NULL',
    "ExecutionStatus = 'Running'",
    `TaskQueue = ${JSON.stringify(taskQueue)}`,
  ].join(' AND ')

/** Counts a workspace's stuck runs. */
export const createCountStuck =
  (temporal: Temporal): JobsService['countStuck'] =>
  ({ workspace_slug }) =>
    count(temporal, `${stuckRuns(temporal)} AND GanglionWorkspace = ${JSON.stringify(workspace_slug)}`)

/** Counts the stuck runs of all workspaces. */
export const countStuckRuns = (temporal: Temporal): Promise<number> => count(temporal, stuckRuns(temporal))

const count = async (temporal: Temporal, query: string): Promise<number> =>
  (await temporal.call(({ workflow }) => workflow.count(query))).count
