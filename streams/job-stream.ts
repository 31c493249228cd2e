import type { JobEvent } from '../domain/jobs.ts'
import { streamId } from '../domain/stream-id.ts'
import type { StreamId } from '../domain/stream-id.ts'

/** One event of a job's stream. The same object goes to every reader of the job, so it can be encoded once. */
export interface JobEntry {
  id: string
  at: StreamId
  /** The event as JSON, as it was published. */
  json: string
  /** True for the stream's terminal event. */
  ends: boolean
  /** True for the event every stream begins with; where it is retained, nothing before it is missing. */
  opens: boolean
}

/** A stored entry: id, then the names and values of its fields. */
export type StoredEntry = [id: string, fields: string[]]

export const streamKey = (jobId: string): string => `ganglion:job:${jobId}:events`

/** A hash of the latest attempt by node key, of nodes that were tried more than once. */
export const attemptsKey = (jobId: string): string => `ganglion:job:${jobId}:attempts`

/** Live events are published here as `<id> <json>`. */
export const liveChannel = (jobId: string): string => `ganglion:job:${jobId}:live`

export const isTerminalEvent = (event: JobEvent): boolean => event.type === 'complete' || event.type === 'error'

export function storedEntry([id, fields]: StoredEntry): JobEntry {
  return entryOf(id, fields[1] ?? '{}')
}

export function publishedEntry(message: string): JobEntry {
  const space = message.indexOf(' ')
  return entryOf(message.slice(0, space), message.slice(space + 1))
}

function entryOf(id: string, json: string): JobEntry {
  const event = JSON.parse(json) as JobEvent
  return {
    id,
    at: streamId(id),
    json,
    ends: isTerminalEvent(event),
    opens: event.type === 'status' && event.status === 'pending',
  }
}
