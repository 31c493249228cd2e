import { z } from 'zod'
import { JOB_STATUSES } from '../../../../domain/jobs.ts'
import { jobParams } from '../../../routes/jobs/schemas.ts'
import { defineTool, REPLACES } from '../../tool.ts'

export const cancelRun = defineTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description: 'Stops a run and compensates what it did, where its pathway says how. Returns the outcome of each node.',
  route: 'jobs.cancel',
  hints: { ...REPLACES, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ job_id: jobParams.shape.jobId }),
  output: z.object({
    job_id: z.string(),
    status: z.enum(JOB_STATUSES),
    receipt: z.array(
      z.object({ node_id: z.string(), key: z.string(), outcome: z.string(), message: z.string().optional() }),
    ),
  }),
  call: ({ jobs }, { principal }, { job_id }) => jobs.cancel(principal, job_id),
})
