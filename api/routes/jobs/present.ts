import type { JobDetail, NodeView } from '../../../services/jobs/types.ts'

/** Presents a job with its nodes. Streamed text is left out, because the stream has it. */
export const presentDetail = (job: JobDetail): JobDetail => ({ ...job, nodes: job.nodes.map(presentNode) })

function presentNode(node: NodeView): NodeView {
  const {
    key,
    node_id,
    node_type,
    title,
    status,
    at,
    started_at,
    finished_at,
    attempt,
    port,
    output,
    error,
    child_job_id,
  } = node
  return {
    key,
    node_id,
    node_type,
    title,
    status,
    at,
    started_at,
    finished_at,
    attempt,
    port,
    output,
    error,
    child_job_id,
  }
}
