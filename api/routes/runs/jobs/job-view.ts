import { z } from 'zod'
import { LABELS } from '../../../../domain/pathways/labels/labels.ts'
import {
  JOB_KINDS,
  JOB_OUTCOMES,
  JOB_STATUSES,
  type ReceiptLine,
  type SentRequest,
  type WaitingFor,
} from '../../../../domain/runs/jobs.ts'
import type {
  ForkView,
  JobDetail,
  JobSummaryView,
  JobView,
  NodeView,
  RunDefinitionView,
} from '../../../../services/runs/types.ts'
import type { MigrationView } from '../../../../services/runs/migrations/types.ts'
import { jsonValue } from '../../../../contract/shared/json.ts'
import { total } from '../../../../contract/shared/page.ts'
import { timestamp } from '../../../../contract/shared/time.ts'
import { definitionNote } from '../../pathways/definition.ts'
import { bulkReport } from './bulk-report.ts'

export const answerAction = z.enum(['approve', 'reject', 'submit_input', 'answer_questions', 'decline_questions'])

export const nodeStatus = z.enum(['running', 'waiting', 'completed', 'failed', 'skipped', 'cancelled', 'compensated'])

export const status = z.enum(JOB_STATUSES)

const eachOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [name, z.int()])) as Record<Name, z.ZodInt>

/** A question and its possible answers. */
const question = {
  interventionId: z.string(),
  kind: z.enum(['approval', 'form', 'questions']),
  title: z.string(),
  description: z.string().optional(),
  actions: z.array(answerAction),
  form: z.custom<WaitingFor['form']>().optional().meta({ type: 'object' }),
  questions: z
    .array(z.object({ id: z.string(), text: z.string(), options: z.array(z.string()).optional() }))
    .optional(),
  context: jsonValue.optional(),
  due_at: timestamp.optional(),
  opened_at: timestamp,
}

export const waitingFor = z
  .object({
    ...question,
    job_id: z.string().optional(),
    node_id: z.string(),
    assignees: z.array(z.string()),
    quorum: z.int(),
    approvals: z
      .int()
      .meta({ description: 'Number of approvals given so far; the node continues when it reaches the quorum' }),
    pending_answers: z
      .array(z.object({ action: z.string(), by: z.string(), at: timestamp }))
      .optional()
      .meta({ description: 'Answers that no worker has taken yet, and that may still count' }),
  })
  .meta({ id: 'WaitingFor' })

/** A task as it is shown to a visitor. */
export const visitorTask = z.object(question).meta({ id: 'VisitorTask' })

export const openInterventions = z
  .array(waitingFor)
  .meta({ description: 'The open interventions of the job and its child runs, oldest first' })

export const nodeError = z.object({
  code: z.string(),
  message: z.string(),
  node_key: z
    .string()
    .optional()
    .meta({ description: 'Key of the inner node that failed first, if the error came from one' }),
})

const sentRequest = z
  .object({
    sha256: z.string().meta({
      description:
        'SHA-256 of the canonical JSON (RFC 8785) of `{method, url, headers, body}`. `headers` has no secrets; `body` is the SHA-256 of the body',
    }),
    method: z.string(),
    origin: z.string(),
    bytes: z.int().meta({ description: 'Size of the body' }),
    at: timestamp,
  })
  .meta({ id: 'SentRequest' }) satisfies z.ZodType<SentRequest>

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

const problem = z
  .object({ cause: z.string(), message: z.string(), since: timestamp })
  .meta({ id: 'JobProblem', description: 'Why an open run makes no progress; present after several failures' })

const summary = {
  job_id: z.string(),
  status,
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
  problem: problem.optional(),
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

const node = z
  .object({
    key: z.string(),
    node_id: z.string(),
    node_type: z.string(),
    title: z.string().optional(),
    status: nodeStatus,
    at: timestamp,
    child_job_id: z.string().optional(),
    origin_job_id: z
      .string()
      .optional()
      .meta({ description: 'The run that had the node, where a fork has taken it over. Its decisions are there' }),
    started_at: timestamp.optional(),
    finished_at: timestamp.optional(),
    attempt: z.int().optional().meta({ description: 'Number of the last attempt, from 1' }),
    last_error: nodeError.optional().meta({ description: 'Why the last attempt of a running node failed' }),
    next_attempt_at: timestamp.optional().meta({ description: 'When the next attempt begins; absent while one runs' }),
    port: z.string().optional(),
    input: jsonValue.optional().meta({
      description:
        'What the node was called with; of a tool its arguments, with what the neuron and people set. Of long ones the beginning, as text',
    }),
    output: jsonValue.optional().meta({ description: 'Of a long output of an agent’s tool the beginning, as text' }),
    labels: z
      .array(z.enum(LABELS))
      .optional()
      .meta({ description: 'Sources of untrusted content in the output; absent for a trusted output' }),
    is_given: z.literal(true).optional().meta({ description: 'Present when a person gave the output' }),
    sent: sentRequest.optional().meta({ description: 'The last request that the node sent to another service' }),
    error: nodeError.optional(),
    failed_attempts: z
      .array(z.object({ attempt: z.int(), at: timestamp, code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Attempts that failed, up to the hundredth' }),
  })
  .meta({ id: 'Node' }) satisfies z.ZodType<NodeView>

export const plannedNode = { key: z.string(), node_id: z.string(), node_type: z.string() }

export const askedAgain = z.object({
  ...plannedNode,
  changed: z.array(z.string()).meta({
    description:
      'Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the nodes behind the decision',
  }),
})

export const repeatedEffect = z.object({
  ...plannedNode,
  status: nodeStatus,
  decided_at: z.array(z.string()).meta({
    description: 'Keys of the decisions that hold in the fork and that the effect comes after',
  }),
})

const fork = z
  .object({
    job_id: z.string().meta({ description: 'The other run' }),
    kind: z.enum(['fork', 'retry', 'reopen']),
    from_node: z.string().optional(),
    by: z.string(),
    reason: z.string().optional(),
    changes: z.object({ input: z.boolean(), pathway_version: z.boolean(), outputs: z.array(z.string()) }),
    decisions: z.object({
      asked_again: z.array(askedAgain).meta({ description: 'Decisions that the fork asks for again' }),
      kept: z.array(z.string()).meta({ description: 'Keys of the nodes whose decision holds in the fork' }),
      repeated: z.array(repeatedEffect).meta({
        description: 'Effects that `by` repeats after a decision that holds, without another decision',
      }),
    }),
    created_at: timestamp,
  })
  .meta({ id: 'Fork' }) satisfies z.ZodType<ForkView>

const migration = z
  .object({
    id: z.string(),
    from_version: z.int(),
    to_version: z.int(),
    by: z.string(),
    at: timestamp,
    undone_by: z.string().optional(),
    undone_at: timestamp.optional(),
  })
  .meta({ id: 'Migration' }) satisfies z.ZodType<MigrationView>

export const job = z.object(record).meta({ id: 'Job' }) satisfies z.ZodType<JobView>

export const jobDetail = z
  .object({
    ...record,
    input: jsonValue
      .optional()
      .meta({ description: 'What the run was given; of pathways, searches and calls of tools' }),
    nodes: z.array(node),
    bulk: bulkReport.optional(),
    forked_from: fork.optional().meta({ description: 'The run that this one was forked from' }),
    forks: z
      .array(fork)
      .optional()
      .meta({ description: 'The runs that go on from a node of this one, oldest first, at most 100' }),
    migrations: z
      .array(migration)
      .optional()
      .meta({ description: 'The moves of the run to other versions of its pathway, oldest first, at most 100' }),
  })
  .meta({ id: 'JobDetail' }) satisfies z.ZodType<JobDetail>

const jobSummary = z.object(summary).meta({
  id: 'JobSummary',
  description: 'A job without its result and receipt',
}) satisfies z.ZodType<JobSummaryView>

export const jobList = z
  .object({ jobs: z.array(jobSummary), total, limit: z.int(), offset: z.int() })
  .meta({ id: 'JobPage' })

export const jobCounts = z
  .object({ total: z.int(), by_status: z.object(eachOf(JOB_STATUSES)), by_outcome: z.object(eachOf(JOB_OUTCOMES)) })
  .meta({ id: 'JobCounts' })

export const runDefinition = z
  .object({
    id: z.string().nullable().meta({ description: 'The pathway; null where the definition came with the request' }),
    slug: z.string().nullable(),
    title: z.string().nullable(),
    version: z.int().nullable(),
    definition: z.custom<RunDefinitionView['definition']>().meta({ type: 'object', ...definitionNote }),
  })
  .meta({ id: 'RunDefinition' }) satisfies z.ZodType<RunDefinitionView>

export const jobState = z.object({ job_id: z.string(), status }).meta({ id: 'JobState' })
