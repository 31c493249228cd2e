import { JOB_STATUSES, type JobStatus } from '../../../domain/jobs.ts'
import type { JobDetail, NodeView } from '../../../services/jobs/types.ts'

/** Presents a job with its nodes. Streamed text is left out, because the stream has it. */
export const presentDetail = (job: JobDetail): JobDetail => ({ ...job, nodes: job.nodes.map(omitTranscript) })

/** Presents numbers of jobs, with 0 for each status that none has. */
export function presentCounts(counts: Partial<Record<JobStatus, number>>) {
  const by_status = Object.fromEntries(JOB_STATUSES.map(status => [status, counts[status] ?? 0]))
  return { total: Object.values(by_status).reduce((sum, count) => sum + count, 0), by_status }
}

function omitTranscript(node: NodeView & { transcript?: string }): NodeView {
  const { transcript: _, ...shown } = node
  return shown
}
