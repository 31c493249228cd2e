import { z } from 'zod'
import { JOB_KINDS, JOB_ORDERS, JOB_STATUSES, OUTCOME_FILTERS, type AnswerReply } from '../../../../domain/runs/jobs.ts'
import { STREAM_ID } from '../../../../domain/shared/stream-id.ts'
import { requireAtMostOne, requireExactlyOne } from '../../../../contract/shared/body-rules.ts'
import { jsonValue } from '../../../../contract/shared/json.ts'
import { commaList, flag, limit, offset } from '../../../../contract/shared/query.ts'
import { line } from '../../../../contract/shared/text.ts'
import { moment, timestamp } from '../../../../contract/shared/time.ts'
import { definitionNote } from '../../pathways/definition.ts'
import { answerAction, status, openInterventions, receipt } from './job-view.ts'

export const jobParams = z.object({ jobId: line(300) })

export const startBody = requireAtMostOne(
  requireExactlyOne(
    z.strictObject({
      pathway_id: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
      pathway: jsonValue.optional().meta({
        ...definitionNote,
        description: 'An inline definition, instead of pathway_id. Needs definitions:run.',
      }),
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

export const interventionResponse = z.strictObject({
  type: z.literal('intervention_response'),
  interventionId: line(),
  action: answerAction,
  comment: z.string().max(10_000).optional(),
  data: jsonValue.optional(),
  answers: z.record(z.string(), z.string()).optional(),
})

export const inputBody = z.strictObject({
  workspace_id: z.uuid().meta({ description: 'The workspace of the caller' }),
  input: interventionResponse,
})

const filters = {
  kind: z.enum(JOB_KINDS).optional(),
  pathway_id: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
  pathway: line().optional().meta({
    description: 'A part of the title or the slug of the pathway, in upper or lower case',
  }),
  receptor_id: line().optional().meta({ description: 'Id or slug of a receptor' }),
  neuron_id: line().optional().meta({ description: 'Id or slug of a stored neuron' }),
  trigger_id: line().optional().meta({ description: 'Id or slug of a trigger' }),
  trace_id: line().optional(),
  error_code: line().optional().meta({ description: 'Code of the error of failed jobs, such as TIMEOUT' }),
  requester: line().optional().meta({ description: 'Who started the job, such as user:ann' }),
  started_by: line().optional().meta({
    description: 'The beginning of who started the job, with or without its kind: `user:an` or `an`',
  }),
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

export const OUTCOME_NOTE =
  'How jobs have ended; `open` for those that have not. Cancelled jobs have the status `failed` and the outcome `cancelled`'

const outcomeFilter = commaList(z.enum(OUTCOME_FILTERS), { enum: OUTCOME_FILTERS })
  .optional()
  .meta({ description: `${OUTCOME_NOTE}. One or more, separated by commas` })

export const causesQuery = z.object({ ...filters, status: statusFilter, outcome: outcomeFilter })

export const listQuery = z.object({
  ...filters,
  status: statusFilter,
  outcome: outcomeFilter,
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

export const resumed = z
  .object({
    job_id: z.string(),
    status,
    waitingFor: openInterventions.optional(),
    resumed: z.boolean().optional().meta({
      description: 'true: the job continues. Absent with `event`',
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
    action: answerAction,
    by: z.string(),
    at: timestamp,
    decided: z.boolean(),
    approvals: z.int(),
    quorum: z.int(),
    pending: z.boolean().optional().meta({
      description:
        'true: no worker has taken the answer yet, so it may still count. Send the same answer again to read its outcome.',
    }),
  })
  .meta({ id: 'AnswerReply' }) satisfies z.ZodType<AnswerReply>
