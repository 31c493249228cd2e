import type { Database } from '../../data/shared/database.ts'
import { listOpenInterventions } from '../../data/people/interventions-store.ts'
import { type NodeRecord, listNodes } from '../../data/runs/job-nodes-store.ts'
import { type EndedJob, findEnded } from '../../data/runs/job-endings-store.ts'
import { createOpenedEvent } from '../../domain/people/visitor-tasks.ts'
import { isTerminal } from '../../domain/runs/jobs.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import { getJob } from './find.ts'
import { toOpenIntervention } from '../people/open-intervention.ts'
import type { Principal } from '../../domain/access/principal.ts'

/** A job's stream events that can be rebuilt from Postgres. */
export interface JobSnapshot {
  /** Present if the run has ended. */
  terminal?: JobEvent
  finished_at?: string
  /** Nodes with transcripts, open interventions, and the status. */
  events: JobEvent[]
}

/** Job states for stream readers. */
export interface JobSnapshots {
  hasEnded(principal: Principal, jobId: string): Promise<boolean>
  snapshot(principal: Principal, jobId: string): Promise<JobSnapshot>
  /** Returns the terminal events of ended jobs, by job id. */
  findEnded(workspaceId: string, jobIds: string[]): Promise<Map<string, JobEvent>>
}

export function createSnapshots({ db }: { db: Database }): Pick<JobSnapshots, 'snapshot' | 'findEnded'> {
  return {
    snapshot: async (principal, jobId) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const job = await getJob(tx, principal, jobId)
        const [nodes, open] = await Promise.all([listNodes(tx, jobId), listOpenInterventions(tx, jobId)])
        const events: JobEvent[] = [
          ...nodes.flatMap(createNodeEvents),
          ...open.map(record => createOpenedEvent(toOpenIntervention(record).intervention)),
          { type: 'status', status: job.status, current_step: job.current_step ?? undefined },
        ]
        if (!isTerminal(job.status)) return { events }
        return { events, terminal: createTerminalEvent(job), finished_at: job.finished_at ?? undefined }
      }),

    findEnded: async (workspaceId, jobIds) => {
      const endedJobs = await db.inWorkspaceAtOnce(workspaceId, tx => findEnded(tx, jobIds))
      return new Map(endedJobs.map(job => [job.job_id, createTerminalEvent(job)]))
    },
  }
}

/** Creates an ended job's last event. */
export function createTerminalEvent(
  job: Pick<EndedJob, 'status' | 'result' | 'failed_reason' | 'failed_code'>,
): JobEvent {
  if (job.status === 'completed') return { type: 'complete', result: job.result }
  return { type: 'error', message: job.failed_reason ?? 'failed', code: job.failed_code ?? 'FAILED' }
}

function createNodeEvents({ node_id, key, node_type, status, at, port, error, transcript }: NodeRecord): JobEvent[] {
  const node: JobEvent = { type: 'node', node_id, key, node_type, status, at, port, error }
  return transcript ? [{ type: 'token', token: transcript, node_id, key }, node] : [node]
}
