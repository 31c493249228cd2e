import { z } from 'zod'
import { line, pageQuery, pagination, timestamp } from '../../routing/schemas.ts'
import { said } from '../conversations/schemas.ts'
import { streamQuery } from '../jobs/schemas.ts'

const token = line().meta({ description: 'The share token' })

export const tokenQuery = z.object({ t: token.optional() })
export const invokeParams = z.object({ workspace_slug: line(100), slug: line() })
export const invokeBody = z.strictObject({
  t: token.optional(),
  message: said,
  trace_id: z.uuid().optional().meta({ description: 'The thread to continue. Default: a new thread.' }),
})
export const messageBody = z.strictObject({ t: token.optional(), message: said })
export const traceParams = z.object({ id: z.uuid() })
export const sharedTraceQuery = pageQuery.extend({ t: token.optional() })
export const sharedStreamQuery = streamQuery.extend({
  share: token.optional(),
  trace: z.uuid().meta({ description: 'The thread of the job' }),
})

export const sharedTrace = z
  .object({
    trace: z.object({
      id: z.uuid(),
      title: z.string(),
      turns: z.int(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
    messages: z.array(
      z.object({
        turn: z.int(),
        role: z.enum(['user', 'assistant', 'tool']),
        job_id: z.string(),
        at: timestamp,
        text: z.string().optional(),
      }),
    ),
    pagination,
  })
  .meta({ id: 'SharedTrace' })
