import { z } from 'zod'
import { JOB_STATUSES, JOB_OUTCOMES, JOB_KINDS } from '../../domain/runs/jobs.ts'
import type { ReceiptLine } from '../../domain/runs/nodes.ts'
import { openInterventions } from '../people/question.ts'
import { bulkReport } from './bulk.ts'
import { forkView } from './fork.ts'
import { migrationView } from './migration.ts'
import { sentRequest, nodeError, nodeView } from './node.ts'
import { jsonValue } from '../shared/json.ts'
import { total } from '../shared/page.ts'
import { timestamp } from '../shared/time.ts'

export const jobStatus = z.enum(JOB_STATUSES)

const eachOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [name, z.int()])) as Record<Name, z.ZodInt>

export const receipt = z.array(
  z
    .object({
      node_id: z.string(),
      key: z.string(),
      outcome: z.enum(['stopped', 'finished_first', 'compensated', 'compensation_failed', 'in_doubt']),
      message: z.string().optional(),
      sent: sentRequest.optional().meta({ description: 'Present only when you read a single job' }),
    })
    .meta({ id: 'ReceiptLine' }) satisfies z.ZodType<ReceiptLine>,
)

const jobProblem = z
  .object({
    /** Temporal's cause, such as NON_DETERMINISTIC_ERROR, WORKFLOW_TASK_FAILED or WORKFLOW_TASK_TIMED_OUT. */
    cause: z.string(),
    message: z.string(),
    /** Time of the first failure in the current series. */
    since: timestamp,
  })
  .meta({ id: 'JobProblem', description: 'Why an open run makes no progress. Present after several failures.' })

/** Why an open run makes no progress: its workflow task keeps failing, and Temporal keeps retrying it. */
export type JobProblem = z.output<typeof jobProblem>

const summary = {
  job_id: z.string(),
  status: jobStatus,
  outcome: z.enum(JOB_OUTCOMES).nullable().meta({
    description: 'Outcome of the job. Null while it is open. A cancelled job has the status `failed`.',
  }),
  progress: z.object({ done: z.int(), total: z.int() }).nullable(),
  current_step: z.string().nullable(),
  failedReason: z.string().optional(),
  error: nodeError.optional().meta({ description: 'Error of a failed job. `failedReason` contains its message.' }),
  cancelled_by: z.string().optional().meta({ description: 'Person who cancelled the job' }),
  compensation_failed: z
    .boolean()
    .optional()
    .meta({ description: 'true: at least one node could not be compensated. The receipt contains the details.' }),
  waitingFor: openInterventions.optional(),
  problem: jobProblem.optional(),
  reset_at: timestamp.optional().meta({
    description:
      'Time when the open run was last reset in Temporal. Steps after the reset point may have happened twice.',
  }),
  created_at: timestamp,
  processed_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  purged_at: timestamp.nullable().meta({
    description:
      "Time when the job's content was removed together with its thread or document. A purged job has no title, result, nodes or interventions.",
  }),
  kind: z.enum(JOB_KINDS),
  title: z.string(),
  pathway_id: z.string().nullable(),
  pathway_title: z.string().nullable().meta({ description: 'Current title of the pathway' }),
  pathway_version: z.int().nullable(),
  asset_id: z.string().nullable(),
  receptor_id: z.string().nullable(),
  neuron_id: z.string().nullable(),
  neuron_version: z.int().nullable(),
  trigger_id: z.string().nullable().meta({ description: 'Trigger that started the job' }),
  trace_id: z.string().nullable(),
  brain_id: z.string().nullable(),
  root_job_id: z.string(),
  parent_job_id: z.string().nullable().meta({ description: 'Job that started this job. Null for a root job.' }),
  requester: z.string(),
  people: z.array(z.string()).meta({
    description:
      'Everyone involved in the run: the person behind the requester first, then everyone who caused, resumed or changed the run. An approval with `exclude_requester` excludes all of them.',
  }),
  cancel_requested_by: z.string().optional().meta({
    description: 'Person who requested the cancellation of an open job. The job stops as soon as its run responds.',
  }),
  usage: z
    .object({ input_tokens: z.int(), output_tokens: z.int(), usd: z.number() })
    .meta({ description: 'Usage of the job and its child runs' }),
  temporal_url: z.string(),
}

const record = { ...summary, result: jsonValue.optional(), receipt: receipt.optional() }

export const jobView = z.object(record).meta({ id: 'Job' })

/** A job, as the API returns it. */
export type JobView = z.output<typeof jobView>

export const jobDetail = z
  .object({
    ...record,
    input: jsonValue
      .optional()
      .meta({ description: 'Input of the run. Present for pathways, searches and tool calls.' }),
    nodes: z.array(nodeView),
    bulk: bulkReport.optional(),
    forked_from: forkView.optional().meta({ description: 'The fork that created this run' }),
    forks: z.array(forkView).optional().meta({ description: 'Forks of this run, oldest first, at most 100' }),
    migrations: z
      .array(migrationView)
      .optional()
      .meta({ description: 'Moves of the run to other versions of its pathway, oldest first, at most 100' }),
  })
  .meta({ id: 'JobDetail' })
export type JobDetail = z.output<typeof jobDetail>

const jobSummaryView = z.object(summary).meta({
  id: 'JobSummary',
  description: 'A job without result and receipt',
})

/** A job in a list. */
export type JobSummaryView = z.output<typeof jobSummaryView>

export const jobPage = z
  .object({ jobs: z.array(jobSummaryView), total, limit: z.int(), offset: z.int() })
  .meta({ id: 'JobPage' })
export type JobPage = z.output<typeof jobPage>

export const jobCounts = z
  .object({ total: z.int(), by_status: z.object(eachOf(JOB_STATUSES)), by_outcome: z.object(eachOf(JOB_OUTCOMES)) })
  .meta({ id: 'JobCounts' })

/** Job counts. Cancelled jobs have the status `failed`. */
export type JobCounts = z.output<typeof jobCounts>
