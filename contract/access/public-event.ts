import { z } from 'zod'
import { JOB_STATUSES } from '../../domain/runs/jobs.ts'
import { jsonValue } from '../shared/json.ts'
import { timestamp } from '../shared/time.ts'
import { gapEvent } from '../runs/event.ts'
import { visitorTask } from '../people/question.ts'

const key = z.string().optional().meta({ description: 'Distinguishes texts that are streamed concurrently' })

/** An event in an answer stream, as visitors receive it. */
export const publicEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('token'), token: z.string(), key }).meta({ id: 'PublicTokenEvent' }),
    z.object({ type: z.literal('attempt_reset'), key, attempt: z.int() }).meta({ id: 'PublicAttemptResetEvent' }),
    z.object({ type: z.literal('status'), status: z.enum(JOB_STATUSES) }).meta({ id: 'PublicStatusEvent' }),
    z
      .object({
        type: z.literal('task'),
        change: z.enum(['opened', 'closed']),
        interventionId: z.string(),
        task: visitorTask
          .optional()
          .meta({ description: 'Absent if you were added after the task opened. Read the thread to get the task.' }),
        at: timestamp,
      })
      .meta({ id: 'PublicTaskEvent' }),
    gapEvent,
    z.object({ type: z.literal('complete'), result: jsonValue }).meta({ id: 'PublicCompleteEvent' }),
    z
      .object({ type: z.literal('error'), code: z.literal('RUN_FAILED'), message: z.string() })
      .meta({ id: 'PublicErrorEvent' }),
  ])
  .meta({ id: 'PublicEvent' })

export type PublicEvent = z.output<typeof publicEvent>
