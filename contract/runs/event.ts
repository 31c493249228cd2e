import { z } from 'zod'
import { HANDLING_CHANGES } from '../../domain/people/handling.ts'
import { JOB_STATUSES } from '../../domain/runs/jobs.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import { STREAM_ID } from '../../domain/shared/stream-id.ts'
import { visitorTask } from '../people/question.ts'
import { nodeStatus, nodeError } from './node.ts'
import { requiredJson } from '../shared/json.ts'
import { timestamp } from '../shared/time.ts'

/** The child run that an event belongs to, in the stream of the root job. */
const job_id = z.string().optional()

const tokenEvent = z
  .object({
    type: z.literal('token'),
    job_id,
    token: z.string(),
    node_id: z.string().optional(),
    key: z.string().optional(),
  })
  .meta({ id: 'TokenEvent' })

/** The model is being called again. Discard all tokens received for the node so far. */
const attemptResetEvent = z
  .object({ type: z.literal('attempt_reset'), job_id, node_id: z.string(), key: z.string(), attempt: z.int() })
  .meta({ id: 'AttemptResetEvent' })

const statusEvent = z
  .object({ type: z.literal('status'), status: z.enum(JOB_STATUSES), current_step: z.string().optional() })
  .meta({ id: 'StatusEvent' })

const nodeEvent = z
  .object({
    type: z.literal('node'),
    job_id,
    node_id: z.string(),
    key: z.string(),
    node_type: z.string(),
    status: nodeStatus,
    at: timestamp,
    port: z.string().optional(),
    error: nodeError.optional(),
  })
  .meta({ id: 'NodeEvent' })

const interventionEvent = z
  .object({
    type: z.literal('intervention'),
    job_id,
    change: z.enum(['opened', 'answered', 'reminded', ...HANDLING_CHANGES, 'timed_out', 'cancelled']),
    interventionId: z.string(),
    key: z.string().optional(),
    node_id: z.string().optional(),
    title: z.string().optional(),
    action: z.string().optional(),
    by: z.string().optional(),
    /** Present on an answer event. False until the quorum is reached. */
    decided: z.boolean().optional(),
    /** Present when a task opens or its assignees change: everyone who may answer from then on. */
    assignees: z.array(z.string()).optional(),
    task: visitorTask.optional().meta({ description: 'Present when a task opens for a visitor' }),
    at: timestamp,
  })
  .meta({ id: 'InterventionEvent' })

/** A notice for the reader, such as `CONTEXT_COMPACTED` after the context was shortened. */
const noticeEvent = z
  .object({
    type: z.literal('notice'),
    job_id,
    node_id: z.string(),
    key: z.string(),
    code: z.string(),
    message: z.string(),
  })
  .meta({ id: 'NoticeEvent' })

const progressEvent = z
  .object({ type: z.literal('progress'), done: z.int(), total: z.int() })
  .meta({ id: 'ProgressEvent' })

/**
 * The text of one audio piece in a meeting, or the error from its transcription. Times are in seconds, and absent
 * until they are known.
 */
const segmentEvent = z
  .object({
    type: z.literal('segment'),
    seq: z.int(),
    text: z.string(),
    speaker: z.string().optional(),
    start: z.number().optional(),
    end: z.number().optional(),
    error: nodeError.optional(),
  })
  .meta({ id: 'SegmentEvent' })

/**
 * After this event, the run uses another version of its pathway. With `undone`, the run is back on the earlier
 * version.
 */
const migratedEvent = z
  .object({
    type: z.literal('migrated'),
    from_version: z.int().nullable(),
    to_version: z.int().nullable(),
    by: z.string(),
    at: timestamp,
    undone: z.literal(true).optional(),
  })
  .meta({ id: 'MigratedEvent' })

/** The meeting has ended and its transcript is available. */
const endedEvent = z.object({ type: z.literal('ended'), artifact_id: z.uuid().optional() }).meta({ id: 'EndedEvent' })

export const gapEvent = z.object({ type: z.literal('gap'), message: z.string() }).meta({ id: 'GapEvent' })

const completeEvent = z.object({ type: z.literal('complete'), result: requiredJson }).meta({ id: 'CompleteEvent' })

const errorEvent = z
  .object({ type: z.literal('error'), message: z.string(), code: z.string() })
  .meta({ id: 'ErrorEvent' })

/** The `data` of an event in a job stream. The stream ends with `complete` or `error`. */
export const jobEvent = z
  .discriminatedUnion('type', [
    tokenEvent,
    attemptResetEvent,
    statusEvent,
    nodeEvent,
    interventionEvent,
    noticeEvent,
    progressEvent,
    segmentEvent,
    migratedEvent,
    endedEvent,
    gapEvent,
    completeEvent,
    errorEvent,
  ])
  .meta({ id: 'JobEvent' }) satisfies z.ZodType<JobEvent>

export const streamQuery = z.object({
  after: z.string().optional().meta({
    pattern: STREAM_ID.source,
    description: 'Sends only events after this stream id. If the id is past the end of the run, no events are sent.',
    example: '1700000000000-0',
  }),
})
