import { z } from 'zod'
import { jobParams } from '../../../routes/jobs/schemas.ts'
import { defineWaitTool, READS } from '../../tool.ts'

export const waitForRun = defineWaitTool({
  name: 'wait_for_run',
  title: 'Wait for a run',
  description:
    'Waits up to 20 seconds for the end of a run, or for it to ask people. Call it again while the run goes on. Leaving the call does not end the run.',
  route: 'jobs.status',
  hints: READS,
  input: z.strictObject({ job_id: jobParams.shape.jobId }),
  start: (_, __, { job_id }) => Promise.resolve({ job_id }),
})
