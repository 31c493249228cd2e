import type { AuditAction } from '../../../data/audit/audit-store.ts'
import { OPERATOR, writeAudit } from '../../../data/audit/audit-store.ts'
import { savePendingAnswer } from '../../../data/people/pending-answers-store.ts'
import type { JobSummary } from '../../../data/runs/jobs-store.ts'
import {
  type JobVote,
  type PendingDelivery,
  restartDelivery,
  restartMessage,
  type StartedMessage,
} from '../../../data/runs/reconcile-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { RESTORED } from '../status/terminations.ts'
import { createStatusReader } from '../status/status.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { rebuildAnswer } from './answers.ts'
import type { DifferenceKind, Repair } from './report.ts'

/** Repairs of differences. Each writes an audit entry, and may be repeated. */
export interface Repairs {
  /** Ends an open job whose run is gone or has ended, in the same way as reading the job does. */
  endJob(job: JobSummary, kind: DifferenceKind): Promise<Repair>
  /** Delivers a recorded answer to its run again, as soon as a worker is running. */
  resendAnswer(job: JobSummary, vote: JobVote): Promise<Repair>
  /** Terminates a run whose job is missing, has ended or is outdated. */
  terminate(jobId: string, workspaceId: string | undefined, kind: DifferenceKind): Promise<Repair>
  /** Makes a delivery due again. */
  restartDelivery(workspaceId: string, delivery: PendingDelivery): Promise<Repair>
  /** Makes a message due again. */
  restartMessage(workspaceId: string, message: StartedMessage): Promise<Repair>
}

export function createRepairs({ db, temporal }: { db: Database; temporal: Temporal }): Repairs {
  const readStatus = createStatusReader({ db, temporal })

  return {
    async endJob(job, kind) {
      const { status } = await readStatus(job)
      if (!isTerminal(status)) return 'none'
      await db.inWorkspace(job.workspace_id, tx => audit(tx, 'job.reconcile', job.job_id, kind, job.brain_id))
      return 'done'
    },

    async resendAnswer({ job_id, workspace_id, brain_id }, vote) {
      const { intervention_id } = vote
      const answer = rebuildAnswer(vote)
      if (!answer) return 'none'
      const { actor } = answer.by
      const input = answer as unknown as JsonValue
      await db.inWorkspace(workspace_id, async tx => {
        const update_id = `reconcile-${intervention_id}-${actor}`
        await savePendingAnswer(tx, { intervention_id, update_id, job_id, actor, input }, 0)
        await audit(tx, 'job.reconcile', job_id, 'answer_not_counted', brain_id)
      })
      return 'done'
    },

    async terminate(jobId, workspaceId, kind) {
      await temporal.call(() => temporal.handle(jobId).terminate(RESTORED))
      if (workspaceId !== undefined)
        await db.inWorkspace(workspaceId, tx => audit(tx, 'job.reconcile', jobId, kind, null))
      return 'done'
    },

    async restartDelivery(workspaceId, { id, webhook_id, brain_id }) {
      await db.inWorkspace(workspaceId, async tx => {
        await restartDelivery(tx, id)
        await audit(tx, 'webhook.reconcile', webhook_id, 'delivery_stopped', brain_id)
      })
      return 'done'
    },

    async restartMessage(workspaceId, { id, channel_id }) {
      await db.inWorkspace(workspaceId, async tx => {
        await restartMessage(tx, id)
        await audit(tx, 'channel.reconcile', channel_id, 'message_stopped', null)
      })
      return 'done'
    },
  }
}

const audit = (tx: Tx, action: AuditAction, target: string, difference: DifferenceKind, brain_id: string | null) =>
  writeAudit(tx, OPERATOR, { action, target, brain_id, details: { difference } })
