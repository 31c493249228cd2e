import { z } from 'zod'
import { nodeStatus } from '../../../routes/jobs/job-view.ts'
import { jobParams } from '../../../routes/jobs/schemas.ts'
import { presentOutcome, runOutcome } from '../../runs/run-outcome.ts'
import { defineTool, READS } from '../../tool.ts'

export const getRun = defineTool({
  name: 'get_run',
  title: 'Read a run',
  description: 'Reads the state of a run with its nodes: what they did, and why one failed.',
  route: 'jobs.get',
  hints: READS,
  input: z.strictObject({ job_id: jobParams.shape.jobId }),
  output: runOutcome.extend({
    title: z.string(),
    nodes: z.array(
      z.object({
        key: z.string(),
        type: z.string(),
        status: nodeStatus,
        error: z.object({ code: z.string(), message: z.string() }).optional(),
        child_job_id: z.string().optional(),
      }),
    ),
  }),
  async call({ jobs }, { principal }, { job_id }) {
    const { nodes, ...job } = await jobs.detail(principal, job_id)
    return {
      ...presentOutcome(job),
      title: job.title,
      nodes: nodes.map(({ key, node_type: type, status, error, last_error = error, child_job_id }) => ({
        key,
        type,
        status,
        error: last_error && { code: last_error.code, message: last_error.message },
        child_job_id,
      })),
    }
  },
})
