import { WorkflowNotFoundError } from '@temporalio/client'
import type { Logger } from 'pino'
import { findWorkspaceBySlug } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { WORKSPACE } from '../../../workflows/shared/run/attributes.ts'
import { hasTimedOut, isStuck, isTooLong, readProblem } from './problem.ts'
import { createStatusReader } from './status.ts'
import { stuckRuns } from './stuck-runs.ts'
import { createLoop, type Loop } from '../../shared/loop.ts'
import { TASK_TOO_LONG } from './terminations.ts'

const INTERVAL_MS = 10_000
const MAX_RUNS = 20
/** No run handles this signal. */
const PROBE_SIGNAL = 'report_problem'

interface Deps {
  db: Database
  temporal: Temporal
  log: Logger
}

/**
 * Terminates runs whose workflow code repeatedly hits its time limit. Each further attempt would occupy the worker's
 * workflow thread for that time. Runs that fail for other reasons wait for a worker with compatible code.
 */
export function createRunawayWatch({ db, temporal, log }: Deps): Loop {
  const readStatus = createStatusReader({ db, temporal })

  async function check(jobId: string): Promise<void> {
    const description = await temporal.call(() => temporal.handle(jobId).describe())
    const slug = description.typedSearchAttributes.get(WORKSPACE)
    if (!isStuck(description) || !slug) return
    const problem = await readProblem(temporal, description)
    // The history records only the first failure in a series, which may lack details. The signal starts a new series.
    if (hasTimedOut(problem)) await temporal.call(() => temporal.handle(jobId).signal(PROBE_SIGNAL))
    if (!isTooLong(problem)) return
    await temporal.call(() => temporal.handle(jobId).terminate(TASK_TOO_LONG))
    log.error({ job_id: jobId }, 'a run was terminated: its workflow task exceeded the time limit repeatedly')
    await saveStatus(slug, jobId)
  }

  /** Writes the run's end to its row. Otherwise, the next request that reads the job would have to write it. */
  async function saveStatus(slug: string, jobId: string): Promise<void> {
    const workspace = await db.system(tx => findWorkspaceBySlug(tx, slug))
    const row = workspace && (await db.inWorkspaceAtOnce(workspace.id, tx => findJob(tx, jobId)))
    if (row) await readStatus(row)
  }

  return createLoop({
    name: 'looking for stuck runs',
    idleMs: INTERVAL_MS,
    log,
    async round() {
      const jobIds: string[] = []
      await temporal.call(async ({ workflow }) => {
        for await (const { workflowId } of workflow.list({ query: stuckRuns(temporal), pageSize: MAX_RUNS }))
          if (jobIds.push(workflowId) === MAX_RUNS) return
      })
      for (const jobId of jobIds)
        await check(jobId).catch((error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error
        })
    },
  })
}
