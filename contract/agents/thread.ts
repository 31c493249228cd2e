import { z } from 'zod'
import { LABELS } from '../../domain/pathways/labels/labels.ts'
import { traceType } from './conversation.ts'
import { fileRef } from '../documents/file.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema, pagination } from '../shared/page.ts'
import { pageQuery } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

export const traceParams = z.object({ id: line() })

export const tracesQuery = pageQuery.extend({
  trace_type: traceType.optional().meta({ description: 'Default: `user`' }),
  actor: line()
    .optional()
    .meta({ description: 'Owner of the threads, or `all` for threads of all owners. Default: the caller.' }),
})
export type TracesQuery = z.output<typeof tracesQuery>

export const traceView = z
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
  .meta({ id: 'Trace' })

/** A thread, as the API returns it. */
export type TraceView = z.output<typeof traceView>

const messageView = z
  .object({
    turn: z.int(),
    role: z.enum(['user', 'assistant', 'tool']),
    job_id: z.string(),
    at: timestamp,
    text: z.string().optional(),
    files: z.array(fileRef).optional(),
    /** Tool calls requested by the model. */
    calls: z.array(z.object({ id: z.string(), name: z.string(), args: jsonValue })).optional(),
    data: jsonValue.optional(),
    /** Present on tool call results. */
    call_id: z.string().optional(),
    name: z.string().optional(),
    output: jsonValue.optional(),
    is_error: z.boolean().optional(),
    labels: z
      .array(z.enum(LABELS))
      .optional()
      .meta({ description: 'Sources of the untrusted content in a tool call result' }),
  })
  .meta({ id: 'Message' })
export type MessageView = z.output<typeof messageView>

export const tracePage = pageSchema(traceView)

export const thread = z.object({ trace: traceView, messages: z.array(messageView), pagination }).meta({ id: 'Thread' })
