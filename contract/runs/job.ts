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
      sent: sentRequest.optional().meta({ description: 'Present when a single job is read' }),
    })
    .meta({ id: 'ReceiptLine' }) satisfies z.ZodType<ReceiptLine>,
)

const jobProblem = z
  .object({
    /** Temporal's cause, such as NON_DETERMINISTIC_ERROR, or WORKFLOW_TASK_FAILED, or WORKFLOW_TASK_TIMED_OUT. */
    cause: z.string(),
    message: z.string(),
    /** When the present series of failures began. */
    since: timestamp,
  })
  .meta({ id: 'JobProblem', description: 'Why an open run makes no progress; present after several failures' })

/** Why an open run makes no progress: its workflow task fails, and Temporal retries it. */
export type JobProblem = z.output<typeof jobProblem>

const summary = {
  job_id: z.string(),
  status: jobStatus,
  outcome: z.enum(JOB_OUTCOMES).nullable().meta({
    description: 'How the job has ended; null while it is open. A cancelled job has the status `failed`',
  }),
  progress: z.object({ done: z.int(), total: z.int() }).nullable(),
  current_step: z.string().nullable(),
  failedReason: z.string().optional(),
  error: nodeError.optional().meta({ description: 'Present when the status is failed; its message is failedReason' }),
  cancelled_by: z.string().optional().meta({ description: 'The person who cancelled the job' }),
  compensation_failed: z
    .boolean()
    .optional()
    .meta({ description: 'true: a node could not be compensated. The receipt has the node' }),
  waitingFor: openInterventions.optional(),
  problem: jobProblem.optional(),
  reset_at: timestamp.optional().meta({
    description:
      'When somebody last reset the open run in Temporal. What it did after that point may have happened twice',
  }),
  created_at: timestamp,
  processed_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  purged_at: timestamp.nullable().meta({
    description:
      'When the content of the job was removed with its thread or document. It then has no title, result, nodes and interventions.',
  }),
  kind: z.enum(JOB_KINDS),
  title: z.string(),
  pathway_id: z.string().nullable(),
  pathway_title: z.string().nullable().meta({ description: 'The present title of the pathway' }),
  pathway_version: z.int().nullable(),
  asset_id: z.string().nullable(),
  receptor_id: z.string().nullable(),
  neuron_id: z.string().nullable(),
  neuron_version: z.int().nullable(),
  trigger_id: z.string().nullable().meta({ description: 'The trigger that started the job' }),
  trace_id: z.string().nullable(),
  brain_id: z.string().nullable(),
  root_job_id: z.string(),
  parent_job_id: z.string().nullable().meta({ description: 'The job that started this one; null for a root job' }),
  requester: z.string(),
  people: z.array(z.string()).meta({
    description:
      'Everyone behind the run: the person of the requester first, then who caused, continued or changed it. An approval with `exclude_requester` excludes all of them.',
  }),
  cancel_requested_by: z
    .string()
    .optional()
    .meta({ description: 'Who has cancelled an open job. It stops as soon as its run responds.' }),
  usage: z
    .object({ input_tokens: z.int(), output_tokens: z.int(), usd: z.number() })
    .meta({ description: 'Usage of the job, including its child runs' }),
  temporal_url: z.string(),
}

const record = { ...summary, result: jsonValue.optional(), receipt: receipt.optional() }

export const jobView = z.object(record).meta({ id: 'Job' })

/** A job as the API shows it. */
export type JobView = z.output<typeof jobView>

export const jobDetail = z
  .object({
    ...record,
    input: jsonValue
      .optional()
      .meta({ description: 'What the run was given; of pathways, searches and calls of tools' }),
    nodes: z.array(nodeView),
    bulk: bulkReport.optional(),
    forked_from: forkView.optional().meta({ description: 'The run that this one was forked from' }),
    forks: z
      .array(forkView)
      .optional()
      .meta({ description: 'The runs that go on from a node of this one, oldest first, at most 100' }),
    migrations: z
      .array(migrationView)
      .optional()
      .meta({ description: 'The moves of the run to other versions of its pathway, oldest first, at most 100' }),
  })
  .meta({ id: 'JobDetail' })
export type JobDetail = z.output<typeof jobDetail>

const jobSummaryView = z.object(summary).meta({
  id: 'JobSummary',
  description: 'A job without its result and receipt',
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

/** Numbers of jobs. The status of a cancelled job is `failed`. */
export type JobCounts = z.output<typeof jobCounts>
