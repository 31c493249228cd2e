import { z } from 'zod'
import { type Cause, CAUSES } from '../../../domain/diagnosis/diagnosis.ts'
import { JOB_KINDS, JOB_ORDERS, JOB_STATUSES } from '../../../domain/jobs.ts'
import { STREAM_ID } from '../../../domain/stream-id.ts'
import type { AnswerReply, ReceiptLine, WaitingFor } from '../../../domain/jobs.ts'
import type {
  DiagnosisCounts,
  DiagnosisView,
  ForkOutcome,
  ForkPlanView,
  ForkView,
  JobDetail,
  JobSummaryView,
  JobView,
  NodeView,
  RunDefinitionView,
} from '../../../services/jobs/types.ts'
import type { MigrationView } from '../../../services/jobs/migrations/types.ts'
import { requireAtMostOne, requireExactlyOne } from '../../routing/body-rules.ts'
import { commaList, flag, jsonValue, limit, line, moment, offset, timestamp, total } from '../../routing/schemas.ts'
import { definitionNote } from '../pathways/definition.ts'
import { bulkReport } from './bulk-report.ts'

export const jobParams = z.object({ jobId: line(300) })

export const startBody = requireAtMostOne(
  requireExactlyOne(
    z.strictObject({
      pathway_id: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
      pathway: jsonValue
        .optional()
        .meta({ ...definitionNote, description: 'An inline definition, instead of pathway_id' }),
      input: jsonValue.optional(),
      data: jsonValue.optional().meta({ description: 'Alias of `input`' }),
    }),
    ['pathway_id', 'pathway'],
  ),
  ['input', 'data'],
)

export const resumeBody = z
  .strictObject({
    event: line().optional().meta({ description: 'Name of the event that a wait node waits for' }),
    data: jsonValue.optional().meta({ description: 'Output of the wait node; only with `event`' }),
  })
  .refine(({ event, data }) => event !== undefined || data === undefined, 'must not have data without event')
  .meta({ dependentRequired: { data: ['event'] } })

const actions = z.enum(['approve', 'reject', 'submit_input', 'answer_questions', 'decline_questions'])

export const inputBody = z.strictObject({
  workspace_id: z.uuid().meta({ description: 'The workspace of the caller' }),
  input: z.strictObject({
    type: z.literal('intervention_response'),
    interventionId: line(),
    action: actions,
    comment: z.string().max(10_000).optional(),
    data: jsonValue.optional(),
    answers: z.record(z.string(), z.string()).optional(),
  }),
})

const forkChanges = {
  input: jsonValue.optional().meta({ description: 'The input of the fork, instead of that of the run' }),
  outputs: z
    .record(z.string(), jsonValue)
    .optional()
    .meta({ description: 'Outputs by node key, instead of those of nodes that the fork takes over' }),
  pathway_version: z.int().min(1).optional().meta({ description: 'By default the version of the run' }),
  dry_run: z.boolean().optional().meta({ description: 'true: lists what the fork would do, and starts nothing' }),
  reason: z.string().max(2_000).optional(),
}
export const forkBody = z.strictObject({
  from_node: line(1_000).meta({
    description:
      'Key of the node from which the fork goes on; that of an iteration is each[3]/fetch, that of a step of an agent step-2',
    example: 'review',
  }),
  ...forkChanges,
})
export const retryBody = z.strictObject(forkChanges)

export const nodeStatus = z.enum(['running', 'waiting', 'completed', 'failed', 'skipped', 'cancelled', 'compensated'])

const plannedNode = { key: z.string(), node_id: z.string(), node_type: z.string() }
const counted = (description: string) => z.int().meta({ description })
export const forkPlan = z
  .object({
    job_id: z.string(),
    dry_run: z.literal(true),
    counts: z.object({
      reused: counted('Nodes that are taken over'),
      runs: counted('Nodes that run'),
      repeated_effects: counted('Effects that happen a second time'),
    }),
    reused: z.array(z.object({ ...plannedNode, is_replaced: z.boolean() })),
    runs: z
      .array(z.object({ ...plannedNode, reason: z.enum(['fork_point', 'not_completed', 'compensated', 'after']) }))
      .meta({ description: 'Nodes that run: first those that start at once, then those that may follow' }),
    repeated_effects: z
      .array(z.object({ ...plannedNode, status: nodeStatus }))
      .meta({ description: 'What the run had begun and the fork does again, with keys of its own' }),
  })
  .meta({ id: 'ForkPlan', description: 'Lists have at most 1,000 entries' }) satisfies z.ZodType<ForkPlanView>
export const forkStarted = z
  .object({
    job_id: z.string(),
    status: z.literal('pending'),
    forked_from: z.object({ job_id: z.string(), from_node: z.string().optional() }),
  })
  .meta({ id: 'ForkStarted' }) satisfies z.ZodType<ForkOutcome>

const filters = {
  kind: z.enum(JOB_KINDS).optional(),
  pathway_id: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
  receptor_id: line().optional().meta({ description: 'Id or slug of a receptor' }),
  neuron_id: line().optional().meta({ description: 'Id or slug of a stored neuron' }),
  trigger_id: line().optional().meta({ description: 'Id or slug of a trigger' }),
  trace_id: line().optional(),
  error_code: line().optional().meta({ description: 'Code of the error of failed jobs, such as TIMEOUT' }),
  requester: line().optional().meta({ description: 'Who started the job, such as user:ann' }),
  title: line().optional().meta({ description: 'A part of the title, in upper or lower case' }),
  text: line().optional().meta({
    description:
      'A part of the title or of the input, in upper or lower case. Inputs of more than 16 kB are not searched',
  }),
  child_runs: flag.optional().meta({ description: 'false: without the runs that other runs have started' }),
  created_after: moment.optional(),
  created_before: moment.optional(),
}

export const countQuery = z.object(filters)

const statusFilter = commaList(z.enum(JOB_STATUSES), { enum: JOB_STATUSES })
  .optional()
  .meta({ description: 'One or more, separated by commas' })

export const causesQuery = z.object({ ...filters, status: statusFilter })

export const listQuery = z.object({
  ...filters,
  status: statusFilter,
  sort: z
    .enum(JOB_ORDERS)
    .optional()
    .meta({ description: 'By default the newest first. An open job has taken as long as it is open' }),
  limit,
  offset,
})

export const streamQuery = z.object({
  after: z.string().optional().meta({
    pattern: STREAM_ID.source,
    description: 'Sends only events after this stream id; beyond the end of a run, none',
    example: '1700000000000-0',
  }),
})

export const jobAccepted = z.object({ job_id: z.string(), status: z.literal('pending') }).meta({ id: 'JobAccepted' })

const status = z.enum(JOB_STATUSES)

const eachStatus = <T>(value: T) =>
  Object.fromEntries(JOB_STATUSES.map(one => [one, value])) as Record<(typeof JOB_STATUSES)[number], T>

export const waitingFor = z
  .object({
    interventionId: z.string(),
    job_id: z.string().optional(),
    kind: z.enum(['approval', 'form', 'questions']),
    title: z.string(),
    description: z.string().optional(),
    node_id: z.string(),
    actions: z.array(actions),
    form: z.custom<WaitingFor['form']>().optional().meta({ type: 'object' }),
    questions: z
      .array(z.object({ id: z.string(), text: z.string(), options: z.array(z.string()).optional() }))
      .optional(),
    context: jsonValue.optional(),
    assignees: z.array(z.string()),
    quorum: z.int(),
    approvals: z
      .int()
      .meta({ description: 'Number of approvals given so far; the node continues when it reaches the quorum' }),
    due_at: timestamp.optional(),
    opened_at: timestamp,
  })
  .meta({ id: 'WaitingFor' })

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

const receipt = z.array(
  z
    .object({
      node_id: z.string(),
      key: z.string(),
      outcome: z.enum(['stopped', 'finished_first', 'compensated', 'compensation_failed', 'in_doubt']),
      message: z.string().optional(),
    })
    .meta({ id: 'ReceiptLine' }) satisfies z.ZodType<ReceiptLine>,
)

const problem = z
  .object({ cause: z.string(), message: z.string(), since: timestamp })
  .meta({ id: 'JobProblem', description: 'Why an open run makes no progress; present after several failures' })

const summary = {
  job_id: z.string(),
  status,
  progress: z.object({ done: z.int(), total: z.int() }).nullable(),
  current_step: z.string().nullable(),
  failedReason: z.string().optional(),
  error: nodeError.optional().meta({ description: 'Present when the status is failed; its message is failedReason' }),
  waitingFor: openInterventions.optional(),
  problem: problem.optional(),
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
    error: nodeError.optional(),
    failed_attempts: z
      .array(z.object({ attempt: z.int(), at: timestamp, code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Attempts that failed and were followed by another one, up to the hundredth' }),
  })
  .meta({ id: 'Node' }) satisfies z.ZodType<NodeView>

const fork = z
  .object({
    job_id: z.string().meta({ description: 'The other run' }),
    kind: z.enum(['fork', 'retry', 'reopen']),
    from_node: z.string().optional(),
    by: z.string(),
    reason: z.string().optional(),
    changes: z.object({ input: z.boolean(), pathway_version: z.boolean(), outputs: z.array(z.string()) }),
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
  .object({ total: z.int(), by_status: z.object(eachStatus(z.int())) })
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
const evidence = z.custom<DiagnosisView['evidence']>().meta({
  type: 'object',
  description:
    'What shows the cause, such as `node_key`, `attempt`, `last_error` and `next_attempt_at` of a retry, or `intervention_id`, `assignees` and `is_overdue` of a wait for people',
})
export const diagnosis = z
  .object({
    job_id: z.string(),
    cause: z.enum(CAUSES),
    since: timestamp.optional().meta({ description: 'Absent where no record says it' }),
    message: z.string().meta({ description: 'The cause as a sentence' }),
    action: z.string().meta({ description: 'What a person can do' }),
    evidence,
    link: z.string().meta({ description: 'The run in the Temporal UI' }),
    missing: z
      .array(z.enum(['history', 'workers', 'children']))
      .meta({ description: 'What could not be found in time. The cause does not rest on it' }),
  })
  .meta({ id: 'Diagnosis' }) satisfies z.ZodType<DiagnosisView>
const eachCause = Object.fromEntries(CAUSES.map(cause => [cause, z.int()])) as Record<Cause, z.ZodInt>
export const diagnosisCounts = z
  .object({
    total: z.int(),
    by_cause: z.object(eachCause),
    not_examined: z.int().meta({ description: 'Open jobs beyond the 200 oldest, or beyond what was found in time' }),
  })
  .meta({ id: 'DiagnosisCounts' }) satisfies z.ZodType<DiagnosisCounts>
export const jobStatus = z.object({ job_id: z.string(), status }).meta({ id: 'JobStatus' })
export const resumed = z
  .object({
    job_id: z.string(),
    status,
    waitingFor: openInterventions.optional(),
    resumed: z.boolean().optional().meta({
      description: 'false: the job waits for people only, and continues with their answers. Absent with `event`',
    }),
    delivered_to: z
      .array(z.string())
      .optional()
      .meta({ description: 'Keys of the `wait` nodes that the event ended. Present with `event`' }),
    kept: z.boolean().optional().meta({
      description: 'true: no node waits for the event yet; the next one that does gets it. Present with `event`',
    }),
  })
  .meta({ id: 'ResumedJob' })
export const cancelled = z.object({ job_id: z.string(), status, receipt }).meta({ id: 'CancelledJob' })

export const answerReply = z
  .object({
    job_id: z.string(),
    interventionId: z.string(),
    action: actions,
    by: z.string(),
    at: timestamp,
    decided: z.boolean(),
    approvals: z.int(),
    quorum: z.int(),
  })
  .meta({ id: 'AnswerReply' }) satisfies z.ZodType<AnswerReply>
