import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import { type AuditAction, writeAudit } from '../../data/audit-store.ts'
import type { Database } from '../../data/database.ts'
import { openInterventionsOf } from '../../data/interventions-store.ts'
import { findJob, setCancelledBy } from '../../data/jobs-store.ts'
import { ValidationError } from '../../domain/errors.ts'
import { canPause, isTerminal, type JobRecord, type JobStatus } from '../../domain/jobs.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'
import { eventSignal, pauseSignal, resumeSignal } from '../../workflows/shared/messages.ts'
import type { Temporal } from '../temporal.ts'
import { requireJob } from './find.ts'
import { createStatusReader } from './status.ts'
import type { JobsService } from './types.ts'
import { jobView } from './views.ts'

type Control = Pick<JobsService, 'cancel' | 'pause' | 'resume'>

/** A cancel waits this long for the run to stop and undo; a pause or resume for the run to have seen it. */
const CANCEL_WAIT = 8_000
const SIGNAL_WAIT = 2_000
const LOOK_EVERY = 25

/** Stops, holds and goes on. Every one of them is noted in the audit log before the run is told. */
export function createControl(deps: { db: Database; temporal: Temporal }): Control {
  const { db, temporal } = deps
  const statusOf = createStatusReader(deps)

  async function openJob(
    principal: Principal,
    jobId: string,
    verb: string,
  ): Promise<{ row: JobRecord; status: JobStatus }> {
    const row = await db.inWorkspace(principal.workspace_id, tx => requireJob(tx, principal, jobId))
    const { status } = await statusOf(row)
    if (isTerminal(status)) throw new ValidationError(`The job is ${status}: there is nothing to ${verb}`)
    return { row, status }
  }

  /** The same for a job that has places at which it can be held. */
  async function openRun(
    principal: Principal,
    jobId: string,
    verb: string,
  ): Promise<{ row: JobRecord; status: JobStatus }> {
    const job = await openJob(principal, jobId, verb)
    if (canPause(job.row.kind)) return job
    throw new ValidationError(`A job of the kind "${job.row.kind}" cannot be paused or resumed, only cancelled`)
  }

  const note = (principal: Principal, jobId: string, action: AuditAction, details?: JsonObject) =>
    db.inWorkspace(principal.workspace_id, async tx => {
      if (action === 'job.cancel') await setCancelledBy(tx, jobId, principal.actor)
      await writeAudit(tx, {
        actor: principal.actor,
        action,
        target: jobId,
        details: { ...details, key_id: principal.key_id },
      })
    })

  /** Tells the run something; one that ended meanwhile is no error here, its status says so. */
  async function tell(work: () => Promise<unknown>): Promise<void> {
    await temporal.call(work).catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    })
  }

  /** Looks at the status until it is as wanted, or time is up; gives what it was last. */
  async function lookUntil(row: JobRecord, wanted: (status: JobStatus) => boolean, ms: number): Promise<JobStatus> {
    const until = Date.now() + ms
    for (;;) {
      const { status } = await statusOf(row)
      if (wanted(status) || Date.now() >= until) return status
      await pause(LOOK_EVERY)
    }
  }

  /** Only an answer brings a waiting run on: the reply says to what. */
  async function waitingFor(row: JobRecord) {
    const asked = await db.inWorkspace(row.workspace_id, tx => openInterventionsOf(tx, row.job_id))
    return jobView(row, 'waiting', asked, temporal.uiUrl(row.job_id)).waitingFor
  }

  return {
    cancel: async (principal, jobId) => {
      const { row } = await openJob(principal, jobId, 'cancel')
      await note(principal, jobId, 'job.cancel')
      await tell(() => temporal.handle(jobId).cancel())
      await closed(jobId)
      const { status } = await statusOf(row)
      const after = await db.inWorkspace(principal.workspace_id, tx => findJob(tx, jobId))
      return {
        job_id: jobId,
        status: after && isTerminal(after.status) ? after.status : status,
        receipt: after?.receipt ?? [],
      }
    },

    pause: async (principal, jobId) => {
      const { row, status } = await openRun(principal, jobId, 'pause')
      if (status === 'paused') return { job_id: jobId, status }
      await note(principal, jobId, 'job.pause')
      await tell(() => temporal.handle(jobId).signal(pauseSignal, { by: principal.actor }))
      return { job_id: jobId, status: await lookUntil(row, now => now === 'paused' || isTerminal(now), SIGNAL_WAIT) }
    },

    resume: async (principal, jobId, event) => {
      const { row, status } = await openRun(principal, jobId, 'resume')
      if (event) {
        const { event: name, data } = event
        await note(principal, jobId, 'job.event', { event: name })
        await tell(() => temporal.handle(jobId).signal(eventSignal, { name, data, by: principal.actor }))
        return { job_id: jobId, status: (await statusOf(row)).status }
      }
      if (status === 'waiting') return { job_id: jobId, status, waitingFor: await waitingFor(row) }
      if (status !== 'paused')
        throw new ValidationError(`The job is ${status}: only a waiting or paused job can be resumed`)
      await note(principal, jobId, 'job.resume')
      await tell(() => temporal.handle(jobId).signal(resumeSignal, { by: principal.actor }))
      return { job_id: jobId, status: await lookUntil(row, now => now !== 'paused', SIGNAL_WAIT) }
    },
  }

  /** Waits for the run to close, as long as a caller may be kept waiting. */
  async function closed(jobId: string): Promise<void> {
    await temporal.call(() => temporal.handle(jobId).result(), CANCEL_WAIT).catch(() => undefined)
  }
}
