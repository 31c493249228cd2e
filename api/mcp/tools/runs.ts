import { z } from 'zod'
import { JOB_OUTCOMES, JOB_STATUSES, OUTCOME_FILTERS } from '../../../domain/runs/jobs.ts'
import { OUTCOME_NOTE } from '../../../contract/runs/filter.ts'
import { jobParams } from '../../../contract/runs/control.ts'
import { line } from '../../../contract/shared/text.ts'
import { READS, REPLACES, defineRunTool, defineTool, defineWaitTool } from './tool.ts'
import { page, total } from './page.ts'
import { nodeStatus } from '../../../contract/runs/node.ts'
import { presentOutcome, runOutcome } from '../runs/run-outcome.ts'
import { diagnosisView } from '../../../contract/runs/diagnosis.ts'
import { forkBody, forkPlan, retryBody } from '../../../contract/runs/fork.ts'
import { migrateBody, migrationReport } from '../../../contract/runs/migration.ts'
import { toMigrationRequest } from '../../routes/runs/jobs/migrate.ts'
import { bulkBody, bulkPreview } from '../../../contract/runs/bulk.ts'
import { toBulkRequest } from '../../routes/runs/jobs/bulk.ts'

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Lists runs, latest first.',
  route: 'jobs.list',
  hints: READS,
  input: z.strictObject({
    status: z.enum(JOB_STATUSES).optional(),
    outcome: z.enum(OUTCOME_FILTERS).optional().meta({ description: OUTCOME_NOTE }),
    pathway: line().optional().meta({ description: 'Id or slug of a pathway' }),
    neuron: line().optional().meta({ description: 'Id or slug of a neuron' }),
    ...page,
  }),
  output: z.object({
    runs: z.array(
      z.object({
        job_id: z.string(),
        title: z.string(),
        kind: z.string(),
        status: z.enum(JOB_STATUSES),
        outcome: z.enum(JOB_OUTCOMES).nullable(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
        created_at: z.string(),
        finished_at: z.string().nullable(),
      }),
    ),
    total,
  }),
  async call({ jobs }, { principal }, { status, outcome, pathway, neuron, ...page }) {
    const filter = {
      statuses: status && [status],
      outcomes: outcome && [outcome],
      pathway_id: pathway,
      neuron_id: neuron,
      ...page,
    }
    const { jobs: runs, total } = await jobs.list(principal, filter)
    return { runs, total }
  },
})

export const getRun = defineTool({
  name: 'get_run',
  title: 'Read a run',
  description: 'Reads the state of a run and its nodes, with their outputs and errors.',
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
        error: last_error,
        child_job_id,
      })),
    }
  },
})

export const waitForRun = defineWaitTool({
  name: 'wait_for_run',
  title: 'Wait for a run',
  description:
    'Waits up to 20 seconds until a run ends or asks people. Call it again while the run is in progress. Disconnecting does not stop the run.',
  route: 'jobs.status',
  hints: READS,
  input: z.strictObject({ job_id: jobParams.shape.jobId }),
  start: (_, __, { job_id }) => Promise.resolve({ job_id }),
})

export const cancelRun = defineTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description:
    'Stops a run and compensates completed steps where the pathway defines it. Returns the outcome of each node.',
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

export const diagnoseRun = defineTool({
  name: 'diagnose_run',
  title: 'Diagnose a run',
  description:
    "Returns the cause of a run's current state: who or what it waits for, what fails, or that it is running. Includes the start, the evidence and the recommended action.",
  route: 'jobs.diagnosis',
  hints: READS,
  input: z.strictObject({ job_id: jobParams.shape.jobId }),
  output: z.object({ ...diagnosisView.shape, evidence: z.record(z.string(), z.unknown()) }),
  call: ({ jobs }, { principal }, { job_id }) => jobs.diagnosis(principal, job_id),
})

const { from_node, input, outputs, pathway_version, reason } = forkBody.shape

export const previewFork = defineTool({
  name: 'preview_fork',
  title: 'Preview a fork',
  description:
    'Lists the nodes that a fork would reuse, the nodes that would run, and the effects that would happen a second time. Without from_node, previews a retry of a failed run. Changes nothing.',
  route: 'jobs.fork',
  hints: READS,
  input: z.strictObject({
    job_id: jobParams.shape.jobId,
    from_node: from_node.optional(),
    input,
    outputs,
    pathway_version,
  }),
  output: forkPlan,
  async call({ jobs }, { principal }, { job_id, from_node: from, ...changes }) {
    const forkRequest = { ...changes, dry_run: true }
    const plan =
      from === undefined
        ? await jobs.retry(principal, job_id, forkRequest)
        : await jobs.fork(principal, job_id, { ...forkRequest, from_node: from })
    if (!('dry_run' in plan)) throw new Error('a dry run started a run')
    return plan
  },
})

export const forkRun = defineRunTool({
  name: 'fork_run',
  title: 'Fork a run',
  description:
    'Starts a new run from a node of an earlier run and reuses the results before that node. Effects after that node happen a second time: show the user the output of preview_fork first.',
  route: 'jobs.fork',
  input: z.strictObject({ job_id: jobParams.shape.jobId, from_node, input, outputs, pathway_version, reason }),
  start: ({ jobs }, { principal, idempotency }, { job_id, ...request }) =>
    jobs.fork(principal, job_id, request, idempotency),
})

export const retryRun = defineRunTool({
  name: 'retry_run',
  title: 'Retry a failed run',
  description: 'Starts a new run with all steps that the failed run did not complete. Completed steps are reused.',
  route: 'jobs.retry',
  input: z.strictObject({ job_id: jobParams.shape.jobId, input: retryBody.shape.input, outputs, reason }),
  start: ({ jobs }, { principal, idempotency }, { job_id, ...request }) =>
    jobs.retry(principal, job_id, request, idempotency),
})

export const previewMigration = defineTool({
  name: 'preview_migration',
  title: 'Preview a migration',
  description:
    'Checks for each open run of a pathway version whether it can move to another version, and why not. Changes nothing.',
  route: 'jobs.migrate',
  hints: READS,
  input: migrateBody.pick({
    pathway: true,
    from_version: true,
    to_version: true,
    filter: true,
    limit: true,
    after: true,
  }),
  output: migrationReport,
  call: ({ jobs }, { principal }, args) =>
    jobs.migrations.migrate(principal, toMigrationRequest({ ...args, dry_run: true })),
})

/** Has no confirmation argument, because a model must not confirm moving every open run. */
export const migrateRuns = defineTool({
  name: 'migrate_runs',
  title: 'Migrate runs',
  description:
    'Moves waiting and paused runs to another version of their pathway. Show the user the output of preview_migration first, and pass its revisions. A filter that matches every open run is rejected; list the runs in job_ids instead.',
  route: 'jobs.migrate',
  hints: { ...REPLACES, idempotentHint: true },
  input: migrateBody.pick({
    pathway: true,
    from_version: true,
    to_version: true,
    filter: true,
    revisions: true,
    limit: true,
    after: true,
  }),
  output: migrationReport,
  call: ({ jobs }, { principal }, args) => jobs.migrations.migrate(principal, toMigrationRequest(args)),
})

export const previewBulk = defineTool({
  name: 'preview_bulk',
  title: 'Preview a bulk operation',
  description:
    'Counts the runs that cancel, pause, resume, retry or migrate would apply to. Explains why the operation does not apply to the other runs, and returns the first 20 runs. Changes nothing.',
  route: 'jobs.bulk',
  hints: READS,
  input: bulkBody.pick({ operation: true, filter: true, options: true }),
  output: bulkPreview,
  call: ({ bulkJobs }, caller, args) => bulkJobs.preview(caller, toBulkRequest(args)),
})

/** Has no confirmation argument, because a model must not confirm changing every run. */
export const runBulk = defineRunTool({
  name: 'run_bulk',
  title: 'Run a bulk operation',
  description:
    'Cancels, pauses, resumes, retries or migrates all runs that match a filter, one after the other. Show the user the output of preview_bulk first, and pass its `created_before` in the filter. A filter that matches every run is rejected.',
  route: 'jobs.bulk',
  input: bulkBody
    .pick({ operation: true, filter: true, options: true, per_second: true })
    .extend({ reason: bulkBody.shape.reason.unwrap() }),
  start: ({ bulkJobs }, caller, args) => bulkJobs.start(caller, toBulkRequest(args), caller.idempotency),
})
