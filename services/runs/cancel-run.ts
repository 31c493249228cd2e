import { WorkflowNotFoundError } from '@temporalio/client'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { type JobRecord } from '../../data/runs/jobs-store.ts'
import { setCancelledBy } from '../../data/runs/job-endings-store.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { JobStatus } from '../../domain/runs/jobs.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Temporal } from '../shared/temporal.ts'
import { isReported } from './status/problem.ts'
import type { StatusReader } from './status/status.ts'
import { NO_RESPONSE } from './status/terminations.ts'

/** A cancel waits this long for the run to stop and compensate. */
const CANCEL_WAIT_MS = 8_000

/** Calls a run. One that has ended is no error: the status that follows shows it. */
export async function callRun(temporal: Temporal, work: () => Promise<unknown>): Promise<void> {
  await temporal.call(work).catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  })
}

/** The same for a run that may not have begun: its row is there before it. Throws Unavailable while Temporal does not know it. */
export async function callBegun(
  temporal: Temporal,
  { status }: Pick<JobRecord, 'status'>,
  work: () => Promise<unknown>,
): Promise<void> {
  if (status !== 'pending') return callRun(temporal, work)
  await temporal.call(work).catch((error: unknown) => {
    throw error instanceof WorkflowNotFoundError ? notBegunError(error) : error
  })
}

export const notBegunError = (cause?: unknown): Unavailable => new Unavailable('The run has not begun yet', { cause })

/** Asks a run to stop. The audit line is written before the run receives the request. */
export async function requestCancel(
  { db, temporal }: { db: Database; temporal: Temporal },
  principal: Principal,
  { job_id, brain_id }: Pick<JobRecord, 'job_id' | 'brain_id'>,
): Promise<void> {
  await db.inWorkspace(principal.workspace_id, async tx => {
    await setCancelledBy(tx, job_id, principal.actor)
    await writeAudit(tx, principal, { action: 'job.cancel', target: job_id, brain_id })
  })
  await callRun(temporal, () => temporal.handle(job_id).cancel())
}

/**
 * Waits until a run that was told to stop has closed, or the time is over. A run whose workflow task fails again and again
 * is then terminated. Returns the status.
 */
export async function waitForStop(
  { temporal, readStatus }: { temporal: Temporal; readStatus: StatusReader },
  row: JobRecord,
): Promise<JobStatus> {
  await temporal.call(() => temporal.handle(row.job_id).result(), CANCEL_WAIT_MS).catch(() => undefined)
  const { status, problem } = await readStatus(row)
  const jobProblem = await problem?.()
  if (!jobProblem || !isReported(jobProblem)) return status
  await callRun(temporal, () => temporal.handle(row.job_id).terminate(NO_RESPONSE))
  return (await readStatus(row)).status
}
