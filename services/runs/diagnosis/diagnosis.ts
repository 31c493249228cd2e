import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../data/shared/database.ts'
import { countJobs, listJobs, type JobSummary } from '../../../data/runs/jobs-store.ts'
import { CAUSES, type Cause, type Diagnosis } from '../../../domain/runs/diagnosis/diagnosis.ts'
import { isTerminal, OPEN_STATUSES } from '../../../domain/runs/jobs.ts'
import { createSemaphore } from '../../../domain/shared/fairness/semaphore.ts'
import { visibleBrains } from '../../access/brains.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { getJob } from '../find.ts'
import { createStatusReader } from '../status/status.ts'
import type { DiagnosisCounts } from '../../../contract/runs/diagnosis.ts'
import type { JobsService } from '../jobs.ts'
import { type HistoryLimits, createRunDiagnoser } from './gather-facts.ts'

/** Time limit for gathering facts. The response is due within 2 s. */
const LIMIT_MS = 1_700
/** Maximum number of open runs that are examined per count (oldest first) and at the same time. */
const MAX_EXAMINED = 200
const MAX_AT_A_TIME = 8

/** Diagnoses single runs and counts runs by cause. */
export function createDiagnosis(deps: {
  db: Database
  temporal: Temporal
  nearlyFull?: HistoryLimits
}): Pick<JobsService, 'diagnosis' | 'countCauses'> {
  const { db, temporal } = deps
  const diagnoser = createRunDiagnoser({ ...deps, readStatus: createStatusReader(deps) })

  return {
    diagnosis: async (principal, jobId) => {
      const diagnoseRun = diagnoser.open(LIMIT_MS)
      const row = await db.inWorkspaceAtOnce(principal.workspace_id, tx => getJob(tx, principal, jobId))
      return { job_id: jobId, ...(await diagnoseRun(row)), link: temporal.uiUrl(jobId) }
    },

    countCauses: async (principal, filter) => {
      const diagnoseRun = diagnoser.open(LIMIT_MS)
      const visible = { ...filter, brain_ids: visibleBrains(principal) }
      const statuses = OPEN_STATUSES.filter(status => filter.statuses?.includes(status) ?? true)
      const { counted, open } = await db.inWorkspace(principal.workspace_id, async tx => {
        const counted = await countJobs(tx, visible)
        const page = { statuses, sort: 'oldest' as const, limit: MAX_EXAMINED, offset: 0 }
        return { counted, open: (await listJobs(tx, { ...visible, ...page })).rows }
      })
      const causes = await diagnoseMany(diagnoseRun, open)
      const endedCount = counted.filter(({ status }) => isTerminal(status)).reduce((sum, { count }) => sum + count, 0)
      const total = counted.reduce((sum, { count }) => sum + count, 0)
      return countByCause(causes, endedCount, total)
    },
  }
}

/** Returns the causes for the runs that were examined in time. */
async function diagnoseMany(
  diagnoseRun: (row: JobSummary) => Promise<Diagnosis>,
  rows: JobSummary[],
): Promise<Cause[]> {
  const causes: Cause[] = []
  const semaphore = createSemaphore(MAX_AT_A_TIME)
  const isOver = AbortSignal.timeout(LIMIT_MS)
  const examine = async (row: JobSummary) => {
    const release = await semaphore.acquire(isOver)
    try {
      const { cause } = await diagnoseRun(row)
      if (!isOver.aborted) causes.push(cause)
    } finally {
      release()
    }
  }
  const all = Promise.allSettled(rows.map(examine))
  await Promise.race([all, sleep(LIMIT_MS, undefined, { ref: false })])
  return [...causes]
}

function countByCause(causes: Cause[], endedCount: number, total: number): DiagnosisCounts {
  const count = (cause: Cause) => causes.filter(candidate => candidate === cause).length
  const by_cause = Object.fromEntries(CAUSES.map(cause => [cause, count(cause)])) as Record<Cause, number>
  by_cause.done += endedCount
  return { total, by_cause, not_examined: Math.max(0, total - endedCount - causes.length) }
}
