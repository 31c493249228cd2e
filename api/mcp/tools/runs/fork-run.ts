import { z } from 'zod'
import { forkBody, forkPlan, retryBody } from '../../../routes/jobs/fork-plan.ts'
import { jobParams } from '../../../routes/jobs/schemas.ts'
import { defineRunTool, defineTool, READS } from '../../tool.ts'

const { from_node, input, outputs, pathway_version, reason } = forkBody.shape

export const previewFork = defineTool({
  name: 'preview_fork',
  title: 'Tell what a fork of a run would do',
  description:
    'Lists what a fork from a node would take over, what would run, and which effects would happen a second time. Without from_node: the same for a retry of a failed run. Changes nothing.',
  route: 'jobs.fork',
  hints: READS,
  input: z.strictObject({
    job_id: jobParams.shape.jobId,
    from_node: from_node.optional(),
    input,
    outputs,
    pathway_version,
  }),
  output: z.object(forkPlan.shape),
  async call({ jobs }, { principal }, { job_id, from_node: from, ...changes }) {
    const asked = { ...changes, dry_run: true }
    const plan =
      from === undefined
        ? await jobs.retry(principal, job_id, asked)
        : await jobs.fork(principal, job_id, { ...asked, from_node: from })
    if (!('dry_run' in plan)) throw new Error('a dry run has started a run')
    return plan
  },
})

export const forkRun = defineRunTool({
  name: 'fork_run',
  title: 'Go on from a node of a run',
  description:
    'Starts a new run that takes over what a run did before a node, and goes on from there. Effects from the node on happen a second time: show the user the outcome of preview_fork first.',
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
