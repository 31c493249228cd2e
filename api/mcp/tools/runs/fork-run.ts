import { z } from 'zod'
import { forkBody, jobParams, retryBody } from '../../../routes/jobs/schemas.ts'
import { defineRunTool } from '../../tool.ts'

const { from_node, input, outputs, pathway_version, reason } = forkBody.shape

export const forkRun = defineRunTool({
  name: 'fork_run',
  title: 'Go on from a node of a run',
  description:
    'Starts a new run that takes over what a run did before a node, and goes on from there. Effects from the node on happen a second time.',
  route: 'jobs.fork',
  input: z.strictObject({ job_id: jobParams.shape.jobId, from_node, input, outputs, pathway_version, reason }),
  start: ({ jobs }, { principal, idempotency }, { job_id, ...request }) =>
    jobs.fork(principal, job_id, request, idempotency),
})

export const retryRun = defineRunTool({
  name: 'retry_run',
  title: 'Retry a failed run',
  description: 'Starts a new run with all that a failed run did not complete. It takes over what the run completed.',
  route: 'jobs.retry',
  input: z.strictObject({ job_id: jobParams.shape.jobId, input: retryBody.shape.input, outputs, reason }),
  start: ({ jobs }, { principal, idempotency }, { job_id, ...request }) =>
    jobs.retry(principal, job_id, request, idempotency),
})
