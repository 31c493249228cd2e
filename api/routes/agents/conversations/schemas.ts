import { z } from 'zod'
import { MAX_USER_MESSAGES } from '../../../../domain/agents/messages.ts'
import { JOB_STATUSES } from '../../../../domain/runs/jobs.ts'
import type {
  Answer,
  MessageView,
  OpenRun,
  TaskOptions,
  TraceView,
} from '../../../../services/agents/conversations/types.ts'
import { openInterventions } from '../../../../contract/people/question.ts'
import { requireExactlyOne } from '../../../../contract/shared/body-rules.ts'
import { errorBody } from '../../../../contract/shared/error.ts'
import { jsonValue } from '../../../../contract/shared/json.ts'
import { pageSchema, pagination } from '../../../../contract/shared/page.ts'
import { pageQuery } from '../../../../contract/shared/query.ts'
import { line } from '../../../../contract/shared/text.ts'
import { timestamp } from '../../../../contract/shared/time.ts'

export const said = z.string().max(500_000).regex(/\S/u, 'must not be empty')

const traceType = z.enum(['user', 'system'])

export const taskOptions = z.strictObject({
  trace_type: traceType.optional().meta({
    description:
      'Type of the thread: `user` (the default), or `system`, which is not in the default list of threads. An existing thread keeps its type: another one is refused with 400.',
  }),
  budget_usd: z.number().positive().optional().meta({ description: 'Replaces the budget of the neuron' }),
  max_steps: z.int().min(1).max(1_000).optional(),
}) satisfies z.ZodType<TaskOptions>

export const messages = z
  .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: said }))
  .min(1)
  .max(MAX_USER_MESSAGES)
  .refine(list => list.at(-1)?.role === 'user', 'must end with a message of role user')

export const invokeBody = requireExactlyOne(
  z.strictObject({
    message: said.optional(),
    messages: messages.optional(),
    variables: z
      .record(line(100), jsonValue)
      .optional()
      .meta({ description: 'Values of the variables in the instructions' }),
    trace_id: z.uuid().optional().meta({ description: 'The thread to continue. Default: a new thread.' }),
    stream: z.boolean().default(false).meta({ description: 'Returns 202 immediately, with the job to follow' }),
    neuron_task_options: taskOptions.optional(),
  }),
  ['message', 'messages'],
)

export const runAccepted = z
  .object({ job_id: z.string(), trace_id: z.uuid(), status: z.literal('pending') })
  .meta({ id: 'RunAccepted' })

const openRun = z
  .object({
    job_id: z.string(),
    trace_id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    waitingFor: openInterventions.optional(),
  })
  .meta({ id: 'OpenRun', description: 'A run without an answer yet' }) satisfies z.ZodType<OpenRun>

export const answer = z
  .object({
    output: z.string(),
    data: jsonValue.optional(),
    finish_reason: z.enum(['stop', 'length', 'max_steps']),
    trace_id: z.uuid(),
    usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), usd: z.number() }),
    job_id: z.string(),
  })
  .meta({ id: 'Answer' }) satisfies z.ZodType<Answer>

/** The responses to a caller that waits for an answer. */
export const answered = {
  200: { description: 'The answer', schema: answer },
  202: { description: 'The run is still in progress, or waits for a person', schema: openRun },
  502: { description: 'The run failed; the message has its id and the reason', schema: errorBody },
}

export const chatParams = z.object({
  traceId: z.union([z.literal('new'), z.uuid('must be new or a UUID')]).meta({
    description:
      'Id of the thread, or `new` to create one. A message with a neuron, receptor or pathway creates a thread with a UUID of your own',
  }),
})

export const chatBody = z
  .strictObject({
    message: said,
    neuron: line().optional().meta({ description: 'Id or slug of the neuron that answers' }),
    receptor: line().optional(),
    pathway: line().optional().meta({
      description: 'Id or slug of a pathway with the input {message, trace_id}. Needs the permission jobs:start.',
    }),
    neuron_task_options: taskOptions.optional(),
  })
  .refine(
    ({ neuron, receptor, pathway }) => [neuron, receptor, pathway].filter(named => named !== undefined).length <= 1,
    'must have at most one of neuron, receptor and pathway',
  )

export const traceParams = z.object({ id: line() })
export const tracesQuery = pageQuery.extend({
  trace_type: traceType.optional().meta({ description: 'Default: `user`' }),
  actor: line().optional().meta({ description: 'Owner of the threads; `all` for every owner. Default: the caller.' }),
})

export const trace = z
  .object({
    id: z.uuid(),
    trace_type: traceType,
    title: z.string(),
    actor: z.string(),
    brain_id: z.uuid().nullable(),
    target: z.object({ type: z.enum(['neuron', 'receptor', 'pathway']), id: z.string() }).nullable(),
    turns: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Trace' }) satisfies z.ZodType<TraceView>

const message = z
  .object({
    turn: z.int(),
    role: z.enum(['user', 'assistant', 'tool']),
    job_id: z.string(),
    at: timestamp,
    text: z.string().optional(),
    calls: z.array(z.object({ id: z.string(), name: z.string(), args: jsonValue })).optional(),
    data: jsonValue.optional(),
    call_id: z.string().optional(),
    name: z.string().optional(),
    output: jsonValue.optional(),
    is_error: z.boolean().optional(),
  })
  .meta({ id: 'Message' }) satisfies z.ZodType<MessageView>

export const tracePage = pageSchema(trace)
export const thread = z.object({ trace, messages: z.array(message), pagination }).meta({ id: 'Thread' })
