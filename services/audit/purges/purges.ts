import type { Database, Tx } from '../../../data/shared/database.ts'
import { hasJobsOfOthers } from '../../../data/audit/job-purge-store.ts'
import { Forbidden, ValidationError } from '../../../domain/shared/errors.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { PurgeTarget } from '../../../domain/audit/purge.ts'
import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { JobAccepted } from '../../../contract/runs/control.ts'
import { PURGE_WORKFLOW } from '../../../workflows/audit/purge-messages.ts'
import { checkWritable, inBrain } from '../../access/brains.ts'
import { getTrace } from '../../agents/conversations/traces.ts'
import { getJob } from '../../runs/find.ts'
import { type JobStart, type JobStarter, acceptJob } from '../../runs/start/job-starter.ts'
import { lockHead } from '../../resources/finding.ts'
import { markDeleted, nameTarget } from './mark-deleted.ts'

/**
 * Removes content permanently. The target is deleted immediately. A job then removes its content and reports how much
 * was removed. Methods throw NotFound, Forbidden, and Unavailable if Temporal is unavailable. In that case the target
 * may be unchanged.
 */
export interface Purges {
  /**
   * Purges a thread with its jobs and recollections. Open runs in the thread are cancelled first. Throws Forbidden
   * for other people's threads and runs, unless the caller may control runs.
   */
  trace(principal: Principal, id: string): Promise<JobAccepted>
  /**
   * Purges a run with its child runs and the recording that the run transcribed. An open run is cancelled first.
   * Throws ValidationError for a run that belongs to a thread, a resource or another run. Purge that object instead.
   */
  job(principal: Principal, id: string): Promise<JobAccepted>
  /**
   * Purges a live or deleted resource and the jobs that extracted its text. For a meeting, also purges the meeting's
   * runs, recordings and transcript. Throws Forbidden for a caller who may not control runs.
   */
  resource(principal: Principal, kind: ResourceKind, idOrSlug: string): Promise<JobAccepted>
}

interface PurgeCandidate {
  target: PurgeTarget
  brain_id: string | null
}

export function createPurges({ db, jobStarter }: { db: Database; jobStarter: JobStarter }): Purges {
  /** The workflow also deletes the target, in case this process stops first. */
  async function start(principal: Principal, find: (tx: Tx) => Promise<PurgeCandidate>): Promise<JobAccepted> {
    const { target, brain_id } = await db.inWorkspace(principal.workspace_id, find)
    const accepted = await jobStarter.start(inBrain(principal, brain_id), undefined, async (_tx, claimJob) => {
      const { job } = await claimJob('purge')
      return acceptJob(buildPurgeJob(job, target, principal.actor))
    })
    await db.inWorkspace(principal.workspace_id, tx => markDeleted(tx, principal, target, brain_id))
    return accepted
  }

  return {
    trace: (principal, id) =>
      start(principal, async tx => {
        const { brain_id, actor } = await getTrace(tx, principal, id)
        checkWritable(principal, brain_id)
        const isOwn = actor === principal.actor && !(await hasJobsOfOthers(tx, id, principal.actor))
        if (!isOwn) checkControl(principal, 'The thread or its runs belong to other people. Purging it')
        return { target: { type: 'trace', id }, brain_id }
      }),

    job: (principal, id) =>
      start(principal, async tx => {
        const job = await getJob(tx, principal, id)
        checkWritable(principal, job.brain_id)
        const owner = findOwner(job)
        if (owner) throw new ValidationError(`The run belongs to ${owner}: purge that instead`)
        return { target: { type: 'job', id }, brain_id: job.brain_id }
      }),

    resource: (principal, kind, idOrSlug) =>
      start(principal, async tx => {
        checkControl(principal, 'A purge')
        const { id, brain_id } = await lockHead(tx, principal, { kind, idOrSlug }, { deleted: true })
        return { target: { type: kind, id }, brain_id }
      }),
  }
}

/** Throws Forbidden without the permission to control runs. */
function checkControl({ permissions }: Principal, subject: string): void {
  if (!permissions.has('jobs:control')) throw new Forbidden(`${subject} requires the permission "jobs:control"`)
}

function findOwner({ kind, parent_job_id, trace_id, asset_id }: JobRecord): string | undefined {
  if (parent_job_id) return `run ${parent_job_id}`
  if (trace_id) return `thread ${trace_id}`
  if (asset_id) return `asset ${asset_id}`
  return kind === 'meeting' ? 'a meeting' : undefined
}

function buildPurgeJob(job: JobRef, target: PurgeTarget, requester: string): JobStart {
  const title = `Purge of ${nameTarget(target)} ${target.id}`
  const workflow = { type: PURGE_WORKFLOW, args: [{ job, target, requester }], details: `${title}, by ${requester}.` }
  return { job, kind: 'purge', title, requester, input: { ...target }, workflow }
}
