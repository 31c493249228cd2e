import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import { type AuditAction, writeAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { listOpenInterventions } from '../../data/people/interventions-store.ts'
import { listOpenWaits, type OpenWait } from '../../data/runs/job-nodes-store.ts'
import { findJob, type JobRecord } from '../../data/runs/jobs-store.ts'
import { Conflict, ValidationError } from '../../domain/shared/errors.ts'
import { canCancel, canPause, isTerminal, type JobStatus } from '../../domain/runs/jobs.ts'
import type { WaitingFor } from '../../domain/people/intervention.ts'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import { deriveUuid } from '../../domain/shared/name-uuid.ts'
import type { Principal } from '../../domain/access/principal.ts'
import {
  endWaitsSignal,
  type EventReply,
  eventUpdate,
  INVALID_INPUT,
  pauseSignal,
  resumeSignal,
} from '../../workflows/shared/run/messages.ts'
import { checkWritable } from '../access/brains.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import type { Temporal } from '../shared/temporal.ts'
import { callRun, notBegunError, requestCancel, waitForStop } from './cancel-run.ts'
import { getJob } from './find.ts'
import { findUpdateFailure, sendUpdate } from './run-messages.ts'
import { createStatusReader } from './status/status.ts'
import type { JobsService } from './jobs.ts'
import { presentJob } from './views.ts'

export interface NamedEvent {
  event: string
  data?: JsonValue
  idempotency?: Idempotency
}

type JobCommands = Pick<JobsService, 'cancel' | 'pause' | 'resume'>

/**
 * Time that a pause or resume waits for its effect, and that each command waits for a run that has not started, in
 * milliseconds.
 */
const SIGNAL_WAIT_MS = 2_000
const POLL_MS = 25

/**
 * The id includes the author, for operators. A request repeated with the same Idempotency-Key delivers the event only
 * once.
 */
const buildUpdateId = ({ actor }: Principal, { event, idempotency }: NamedEvent): string =>
  `${event} by ${actor} ${idempotency ? deriveUuid(`event ${actor} ${idempotency.key}`) : randomUUID()}`

const buildWaitKey = ({ job_id, key }: OpenWait): string => `${job_id} ${key}`

/** Polls until `isWanted` returns true or the timeout elapses. Returns the last value. */
async function poll<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  const until = Date.now() + SIGNAL_WAIT_MS
  for (;;) {
    const value = await read()
    if (isWanted(value) || Date.now() >= until) return value
    await pause(POLL_MS)
  }
}

interface Deps {
  db: Database
  temporal: Temporal
  idempotencyKeys: Pick<IdempotencyKeys, 'claim' | 'saveResponse'>
}

/** Cancels, pauses and resumes jobs. Except for events, an audit entry is written before the run receives a command. */
export function createJobCommands(deps: Deps): JobCommands {
  const { db, temporal, idempotencyKeys } = deps
  const readStatus = createStatusReader(deps)

  async function openJob(
    principal: Principal,
    jobId: string,
    verb: string,
  ): Promise<{ row: JobRecord; status: JobStatus }> {
    const row = await db.inWorkspaceAtOnce(principal.workspace_id, tx => getJob(tx, principal, jobId))
    checkWritable(principal, row.brain_id)
    const { status, run } = await poll(
      () => readStatus(row),
      reading => reading.run !== undefined || isTerminal(reading.status),
    )
    if (isTerminal(status)) throw new ValidationError(`The job is ${status}: there is nothing to ${verb}`)
    if (!run) throw notBegunError()
    return { row, status }
  }

  /** Opens a job that can be paused. Throws for jobs of other kinds. */
  async function openRun(
    principal: Principal,
    jobId: string,
    verb: string,
  ): Promise<{ row: JobRecord; status: JobStatus }> {
    const job = await openJob(principal, jobId, verb)
    if (canPause(job.row.kind)) return job
    throw new ValidationError(`A job of kind "${job.row.kind}" cannot be paused or resumed, only cancelled`)
  }

  const audit = (principal: Principal, row: JobRecord, action: AuditAction, details?: JsonObject) =>
    db.inWorkspace(principal.workspace_id, tx =>
      writeAudit(tx, principal, { action, target: row.job_id, brain_id: row.brain_id, details }),
    )

  /** Polls the status until `isWanted` returns true or the timeout elapses. Returns the last status. */
  async function pollStatus(row: JobRecord, isWanted: (status: JobStatus) => boolean): Promise<JobStatus> {
    const { status } = await poll(
      () => readStatus(row),
      reading => isWanted(reading.status),
    )
    return status
  }

  const findOpenWaits = (row: JobRecord) => db.inWorkspace(row.workspace_id, tx => listOpenWaits(tx, row.job_id))

  /** Ends the given `wait` nodes in a run and its child runs. Returns once they have ended or the timeout elapses. */
  async function endWaits(principal: Principal, row: JobRecord, waits: OpenWait[]): Promise<void> {
    await audit(principal, row, 'job.resume', { nodes: waits.map(({ key }) => key) })
    for (const [jobId, nodes] of Map.groupBy(waits, ({ job_id }) => job_id)) {
      const keys = nodes.map(({ key }) => key)
      await callRun(temporal, () =>
        temporal.handle(jobId).signal(endWaitsSignal, { keys, by: principal.actor, people: principal.people }),
      )
    }
    const endedWaits = new Set(waits.map(buildWaitKey))
    await poll(
      () => findOpenWaits(row),
      open => !open.some(wait => endedWaits.has(buildWaitKey(wait))),
    )
  }

  /** Throws ValidationError if the run is not waiting for the event or has ended. */
  async function sendEvent(principal: Principal, row: JobRecord, event: NamedEvent) {
    const { event: name, data, idempotency } = event
    const { job_id } = row
    const claim = await db.inWorkspace(principal.workspace_id, tx => idempotencyKeys.claim(tx, idempotency, job_id))
    const input = { name, data, by: principal.actor, people: principal.people }
    const send = () => sendUpdate(temporal, job_id, eventUpdate, input, buildUpdateId(principal, event))
    try {
      // After continue-as-new, the run no longer recognizes a repeated update.
      const reply = claim.response === null ? await send() : (claim.response as unknown as EventReply)
      await auditEvent(principal, row, event, reply)
      return { job_id, status: (await readStatus(row)).status, ...reply }
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new ValidationError('The job has ended')
      const refusal = findUpdateFailure(error)
      if (refusal?.type !== INVALID_INPUT) throw error
      throw new ValidationError('The job is not waiting for this event', [
        { pointer: '/event', message: refusal.message },
      ])
    }
  }

  /**
   * A run may reject an event, so the audit entry is written only after the run accepts it. Repeated requests with
   * the same key share an entry.
   */
  async function auditEvent(
    principal: Principal,
    row: JobRecord,
    { event, idempotency }: NamedEvent,
    reply: EventReply,
  ): Promise<void> {
    await db.inWorkspace(principal.workspace_id, async tx => {
      const { response } = await idempotencyKeys.claim(tx, idempotency, row.job_id)
      if (response !== null) return
      const entry = { action: 'job.event' as const, target: row.job_id, brain_id: row.brain_id, details: { event } }
      await writeAudit(tx, principal, entry)
      await idempotencyKeys.saveResponse(tx, idempotency, { ...reply })
    })
  }

  /** If a run can continue only after an answer, the response lists the run's open interventions. */
  async function waitingFor(row: JobRecord) {
    const open = await db.inWorkspace(row.workspace_id, tx => listOpenInterventions(tx, row.job_id))
    return presentJob(row, 'waiting', open, temporal.uiUrl(row.job_id)).waitingFor
  }

  return {
    cancel: async (principal, jobId) => {
      const { row } = await openJob(principal, jobId, 'cancel')
      if (!canCancel(row.kind)) throw new ValidationError(`A job of kind "${row.kind}" cannot be cancelled`)
      await requestCancel(deps, principal, row)
      const stopping = { ...row, cancelled_by: row.cancelled_by ?? principal.actor }
      const status = await waitForStop({ temporal, readStatus }, stopping)
      const after = await db.inWorkspaceAtOnce(principal.workspace_id, tx => findJob(tx, jobId))
      return {
        job_id: jobId,
        status: after && isTerminal(after.status) ? after.status : status,
        receipt: after?.receipt ?? [],
      }
    },

    pause: async (principal, jobId) => {
      const { row, status } = await openRun(principal, jobId, 'pause')
      if (status === 'paused') return { job_id: jobId, status }
      await audit(principal, row, 'job.pause')
      await callRun(temporal, () => temporal.handle(jobId).signal(pauseSignal, { by: principal.actor }))
      return {
        job_id: jobId,
        status: await pollStatus(row, now => now === 'paused' || isTerminal(now)),
      }
    },

    resume: async (principal, jobId, event) => {
      const { row, status } = await openRun(principal, jobId, 'resume')
      if (event) return sendEvent(principal, row, event)
      if (status === 'paused') {
        await audit(principal, row, 'job.resume')
        await callRun(temporal, () => temporal.handle(jobId).signal(resumeSignal, { by: principal.actor }))
        const now = await pollStatus(row, current => current !== 'paused')
        return { job_id: jobId, status: now, resumed: true }
      }
      const waits = await findOpenWaits(row)
      if (waits.length > 0) {
        await endWaits(principal, row, waits)
        const { status: now } = await readStatus(row)
        return {
          job_id: jobId,
          status: now,
          ...(now === 'waiting' && { waitingFor: await waitingFor(row) }),
          resumed: true,
        }
      }
      if (status === 'waiting') throw answersNeededError((await waitingFor(row)) ?? [])
      throw new ValidationError(`The job is ${status}: only a waiting or paused job can be resumed`)
    },
  }
}

/** A run that is waiting for people continues once they answer. */
function answersNeededError(waiting: WaitingFor[]): Conflict {
  const open = waiting.map(({ title, interventionId }) => `"${title}" (${interventionId})`).join(', ')
  return new Conflict(
    `The run is waiting for people to answer${open && `: ${open}`}. Answer with POST /v1/jobs/:jobId/input.`,
  )
}
