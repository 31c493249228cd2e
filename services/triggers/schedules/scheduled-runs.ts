import type { Database } from '../../../data/shared/database.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import { listBackfillers } from '../../../data/people/people-store.ts'
import { findResource } from '../../../data/resources/resources-store.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { Firing } from '../../../data/triggers/trigger-firings-store.ts'
import { requestCancel } from '../../runs/cancel-run.ts'
import { createStatusReader } from '../../runs/status/status.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { findTriggerPrincipal } from '../principal.ts'
import type { FireTrigger } from '../fire.ts'

/** Used by the workflow for a scheduled time. Methods throw Unavailable, and may be repeated. */
export interface ScheduledRuns {
  /** Fires the trigger once for a scheduled time, no matter how often it is called. */
  fire(
    workflow: { job_id: string; workspace_id: string },
    triggerId: string,
    scheduledAt: string,
  ): Promise<Pick<Firing, 'decision' | 'reason' | 'job_id'> & { has_ended: boolean }>
  isOpen(workspaceId: string, jobId: string): Promise<boolean>
  cancel(workspaceId: string, triggerId: string, jobId: string): Promise<void>
}

interface Deps {
  db: Database
  temporal: Temporal
  firing: { fire: FireTrigger }
}

export function createScheduledRuns({ db, temporal, firing }: Deps): ScheduledRuns {
  const readStatus = createStatusReader({ db, temporal })
  const findRun = (workspaceId: string, jobId: string) => db.inWorkspaceAtOnce(workspaceId, tx => findJob(tx, jobId))

  /** Returns whether the job has ended according to its row. A run that has just started needs no further check. */
  async function hasEnded(workspaceId: string, jobId: string): Promise<boolean> {
    const row = await findRun(workspaceId, jobId)
    return row === undefined || isTerminal(row.status)
  }

  return {
    async fire({ job_id: workflowId, workspace_id: workspaceId }, triggerId, scheduled_at) {
      try {
        const { decision, reason, job_id } = await firing.fire({
          workspaceId,
          triggerId,
          event: { scheduled_at },
          dedupeKey: `schedule:${scheduled_at}`,
          people: await db.inWorkspace(workspaceId, tx => listBackfillers(tx, triggerId, scheduled_at)),
          workflowId,
        })
        return { decision, reason, job_id, has_ended: job_id !== null && (await hasEnded(workspaceId, job_id)) }
      } catch (error) {
        // The schedule is deleted shortly after the trigger is deleted.
        if (error instanceof NotFound)
          return { decision: 'refused', reason: 'The trigger was deleted', job_id: null, has_ended: true }
        throw error
      }
    },

    async isOpen(workspaceId, jobId) {
      const row = await findRun(workspaceId, jobId)
      return row !== undefined && !isTerminal((await readStatus(row)).status)
    },

    async cancel(workspaceId, triggerId, jobId) {
      const target = await db.inWorkspace(workspaceId, async tx => {
        const [head, job] = await Promise.all([
          findResource(tx, { kind: 'triggers', idOrSlug: triggerId }, { deleted: true }),
          findJob(tx, jobId),
        ])
        return head && job && { principal: await findTriggerPrincipal(tx, workspaceId, head), job }
      })
      if (target && !isTerminal(target.job.status)) await requestCancel({ db, temporal }, target.principal, target.job)
    },
  }
}
