import { z } from 'zod'
import { MAX_USER_MESSAGES } from '../../domain/agents/messages.ts'
import { JOB_STATUSES } from '../../domain/runs/jobs.ts'
import { messageFiles } from '../documents/file.ts'
import { openInterventions } from '../people/question.ts'
import { requireExactlyOne } from '../shared/body-rules.ts'
import { jsonValue } from '../shared/json.ts'
import { line } from '../shared/text.ts'

export const said = z.string().max(500_000).regex(/\S/u, 'must not be empty')

export const traceType = z.enum(['user', 'system'])

export const taskOptions = z.strictObject({
  trace_type: traceType.optional().meta({
    description:
      'Type of the thread: `user` (the default), or `system`, which the default thread list hides. An existing thread keeps its type; requesting a different type returns 400.',
  }),
  budget_usd: z.number().positive().optional().meta({ description: "Overrides the neuron's budget for this run" }),
  max_steps: z.int().min(1).max(1_000).optional(),
})

/** Options for a single run. */
export type TaskOptions = z.output<typeof taskOptions>

export const messages = z
  .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: said }))
  .min(1)
  .max(MAX_USER_MESSAGES)
  .refine(list => list.at(-1)?.role === 'user', 'must end with a message with the role user')
export type ChatMessage = z.output<typeof messages>[number]

export const neuronInvokeBody = requireExactlyOne(
  z.strictObject({
    message: said.optional(),
    messages: messages.optional(),
    files: messageFiles,
    variables: z
      .record(line(100), jsonValue)
      .optional()
      .meta({ description: 'Values for the variables in the instructions' }),
    trace_id: z.uuid().optional().meta({ description: 'The thread to continue. Default: a new thread.' }),
    stream: z
      .boolean()
      .default(false)
      .meta({ description: 'Returns 202 with the job immediately, without waiting for the answer' }),
    neuron_task_options: taskOptions.optional(),
  }),
  ['message', 'messages'],
)

export const runAccepted = z
  .object({ job_id: z.string(), trace_id: z.uuid(), status: z.literal('pending') })
  .meta({ id: 'RunAccepted' })
export type RunAccepted = z.output<typeof runAccepted>

export const openRun = z
  .object({
    job_id: z.string(),
    trace_id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    waitingFor: openInterventions.optional(),
  })
  .meta({ id: 'OpenRun', description: 'A run that has not answered yet' })

/** A run that has not answered yet. */
export type OpenRun = z.output<typeof openRun>

export const answer = z
  .object({
    output: z.string(),
    data: jsonValue.optional(),
    finish_reason: z.enum(['stop', 'length', 'max_steps']),
    trace_id: z.uuid(),
    usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), usd: z.number() }),
    job_id: z.string(),
  })
  .meta({ id: 'Answer' })

/** The answer from a completed run. */
export type Answer = z.output<typeof answer>

export const chatParams = z.object({
  traceId: z.union([z.literal('new'), z.uuid('must be new or a UUID')]).meta({
    description:
      'Id of the thread, or `new` to create one. With a neuron, receptor or pathway you can also pass a new UUID: the message then creates a thread with this id.',
  }),
})

export const chatBody = z
  .strictObject({
    message: said,
    files: messageFiles,
    neuron: line().optional().meta({ description: 'Id or slug of the neuron that answers' }),
    receptor: line().optional(),
    pathway: line().optional().meta({
      description:
        'Id or slug of a pathway that accepts the input {message, trace_id}. Needs the permission jobs:start.',
    }),
    neuron_task_options: taskOptions.optional(),
  })
  .refine(
    ({ neuron, receptor, pathway }) => [neuron, receptor, pathway].filter(named => named !== undefined).length <= 1,
    'must have at most one of neuron, receptor and pathway',
  )
