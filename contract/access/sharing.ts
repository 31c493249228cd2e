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
import { said } from '../agents/conversation.ts'

const token = line().meta({ description: 'The share token' })

export const tokenQuery = z.object({ t: token.optional() })
export const sharedInvokeBody = z.strictObject({
  t: token.optional(),
  message: said,
  trace_id: z.uuid().optional().meta({ description: 'The thread to continue. Default: a new thread.' }),
})
export const sharedMessageBody = z.strictObject({ t: token.optional(), message: said })
export const sharedTraceQuery = pageQuery.extend({ t: token.optional() })
const trace = z.uuid().optional().meta({
  description: 'The thread of the job. Required with a token of a receptor, which may open several threads',
})
export const sharedStreamQuery = streamQuery.extend({
  t: token.optional(),
  share: token.optional().meta({ description: 'The same as `t`' }),
  trace,
})
export const sharedInputBody = z.strictObject({ t: token.optional(), trace, input: interventionResponse })

export const sharedReply = z
  .object({
    job_id: z.string(),
    interventionId: z.string(),
    action: answerAction,
    at: timestamp,
    decided: z.boolean().meta({ description: 'False while the run waits for the answers of others too' }),
  })
  .meta({ id: 'SharedReply' })

/** The reply to an answer, without the votes of others. */
export type SharedReply = z.output<typeof sharedReply>

const sharedTask = visitorTask
  .extend({
    job_id: z.string().meta({ description: 'The job at which the task is answered' }),
    status: z
      .enum(['open', 'answered', 'closed'])
      .meta({ description: '`answered`: by you. `closed`: it takes no answer any longer' }),
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

/** What a run of a thread asks the visitor. */
export type SharedTask = z.output<typeof sharedTask>

/** A thread as a visitor sees it. */
const sharedHead = z.object({
  id: z.uuid(),
  title: z.string(),
  turns: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
})

export type SharedTrace = z.output<typeof sharedHead>

/** What was said, without the work of the agent behind it. */
const sharedMessage = z.object({
  turn: z.int(),
  role: z.enum(['user', 'assistant']),
  job_id: z.string(),
  at: timestamp,
  text: z.string(),
})

export type SharedMessage = z.output<typeof sharedMessage>

/** A run of a thread that has not ended. One that waits without an open task of the visitor waits for others. */
const sharedRun = z.object({ job_id: z.string(), status: z.enum(JOB_STATUSES) })

export type SharedRun = z.output<typeof sharedRun>

export const sharedTrace = z
  .object({
    trace: sharedHead,
    messages: z.array(sharedMessage),
    tasks: z
      .array(sharedTask)
      .meta({ description: 'What the runs of the thread ask you, oldest first: the latest 100 tasks' }),
    open_runs: z.array(sharedRun).meta({
      description:
        'The runs that have not ended, oldest first, at most 100. One with the status `waiting` and without an open task waits for the team, a time or an event',
    }),
    pagination,
  })
  .meta({ id: 'SharedTrace' })

/** A thread with a page of its messages. */
export type SharedThread = Omit<z.output<typeof sharedTrace>, 'pagination'> & { total: number }
