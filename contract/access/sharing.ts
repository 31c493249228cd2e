import { z } from 'zod'
import { JOB_STATUSES } from '../../domain/runs/jobs.ts'
import { jsonValue } from '../shared/json.ts'
import { pagination } from '../shared/page.ts'
import { pageQuery } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'
import { answerAction } from '../people/question.ts'
import { interventionResponse } from '../people/answer.ts'
import { streamQuery } from '../runs/event.ts'
import { visitorTask } from '../people/question.ts'
import { messageFiles, fileRef } from '../documents/file.ts'
import { said } from '../agents/conversation.ts'

const token = line().meta({ description: 'The share token' })

export const tokenQuery = z.object({ t: token.optional() })
export const sharedInvokeBody = z.strictObject({
  t: token.optional(),
  message: said,
  files: messageFiles,
  trace_id: z.uuid().optional().meta({ description: 'The thread to continue. Default: a new thread.' }),
})
export const sharedMessageBody = z.strictObject({ t: token.optional(), message: said, files: messageFiles })
export const sharedTraceQuery = pageQuery.extend({ t: token.optional() })
const trace = z.uuid().optional().meta({
  description:
    'Thread that the job belongs to. Required with a receptor token, because a receptor token can open several threads.',
})
export const sharedStreamQuery = streamQuery.extend({
  t: token.optional(),
  share: token.optional().meta({ description: 'Alias of `t`' }),
  trace,
})
export const sharedInputBody = z.strictObject({ t: token.optional(), trace, input: interventionResponse })

export const sharedReply = z
  .object({
    job_id: z.string(),
    interventionId: z.string(),
    action: answerAction,
    at: timestamp,
    decided: z.boolean().meta({ description: 'False while the run is still waiting for answers from other people' }),
  })
  .meta({ id: 'SharedReply' })

/** The response to an answer, without other people's votes. */
export type SharedReply = z.output<typeof sharedReply>

const sharedTask = visitorTask
  .extend({
    job_id: z.string().meta({ description: 'Job that the task belongs to' }),
    status: z
      .enum(['open', 'answered', 'closed'])
      .meta({ description: '`answered`: you have answered. `closed`: the task no longer accepts answers.' }),
    answer: z
      .object({
        action: answerAction,
        comment: z.string().optional(),
        data: jsonValue.optional(),
        answers: z.record(z.string(), z.string()).optional(),
        at: timestamp,
      })
      .optional()
      .meta({ description: 'Your answer' }),
  })
  .meta({ id: 'SharedTask' })

/** A task that a run in the thread assigns to the visitor. */
export type SharedTask = z.output<typeof sharedTask>

/** A thread as visitors see it. */
const sharedHead = z.object({
  id: z.uuid(),
  title: z.string(),
  turns: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
})

export type SharedTrace = z.output<typeof sharedHead>

/** A message's text, without the agent's internal steps. */
const sharedMessage = z.object({
  turn: z.int(),
  role: z.enum(['user', 'assistant']),
  job_id: z.string(),
  at: timestamp,
  text: z.string(),
  files: z.array(fileRef).optional(),
})

export type SharedMessage = z.output<typeof sharedMessage>

/**
 * An open run in a thread. If the run is waiting and the visitor has no open task, the run is waiting for someone or
 * something else.
 */
const sharedRun = z.object({ job_id: z.string(), status: z.enum(JOB_STATUSES) })

export type SharedRun = z.output<typeof sharedRun>

export const sharedTrace = z
  .object({
    trace: sharedHead,
    messages: z.array(sharedMessage),
    tasks: z
      .array(sharedTask)
      .meta({ description: 'Tasks that runs in the thread assign to you: the latest 100, oldest first' }),
    open_runs: z.array(sharedRun).meta({
      description:
        'Open runs, oldest first, at most 100. A run with the status `waiting` but no open task is waiting for the team, a time or an event.',
    }),
    pagination,
  })
  .meta({ id: 'SharedTrace' })

/** A thread with one page of its messages. */
export type SharedThread = Omit<z.output<typeof sharedTrace>, 'pagination'> & { total: number }
