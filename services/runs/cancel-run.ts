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

/** Time that a cancel request waits for the run to stop and compensate, in milliseconds. */
const CANCEL_WAIT_MS = 8_000

/** Calls a run. If the run has ended, no error is thrown, because the status read afterwards reports it. */
export async function callRun(temporal: Temporal, work: () => Promise<unknown>): Promise<void> {
  await temporal.call(work).catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  })
}

/**
 * Calls a run that may not have started, because its row is written first. Throws Unavailable while the run does not
 * yet exist in Temporal.
 */
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

export const notBegunError = (cause?: unknown): Unavailable => new Unavailable('The run has not started yet', { cause })

/** Requests cancellation of a run. The audit entry is written before the run receives the request. */
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
 * Waits until a run with a cancellation request has closed or the timeout elapses. Then terminates the run if its
 * workflow task fails repeatedly. Returns the status.
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
