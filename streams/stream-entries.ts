import type { JobEntry } from '../domain/job-event-source.ts'
import type { JobEvent } from '../domain/jobs.ts'
import { parseStreamId } from '../domain/stream-id.ts'

/** An entry as Redis returns it: the id, then names and values of its fields. */
export type StoredEntry = [id: string, fields: string[]]

export const streamKey = (jobId: string): string => `ganglion:job:${jobId}:events`

/** A hash with the latest attempt of each node that has more than one, by node key. */
export const attemptsKey = (jobId: string): string => `ganglion:job:${jobId}:attempts`

/** The channel of live events, `<id> <json>`. */
export const liveChannel = (jobId: string): string => `ganglion:job:${jobId}:live`

export const isTerminalEvent = (event: JobEvent): boolean => event.type === 'complete' || event.type === 'error'

export function parseStoredEntry([id, fields]: StoredEntry): JobEntry {
  return toEntry(id, fields[1] ?? '{}')
}

export function parsePublishedEntry(message: string): JobEntry {
  const space = message.indexOf(' ')
  return toEntry(message.slice(0, space), message.slice(space + 1))
}

function toEntry(id: string, json: string): JobEntry {
  const event = JSON.parse(json) as JobEvent
  return {
    id,
    at: parseStreamId(id),
    json,
    ends: isTerminalEvent(event),
    opens: event.type === 'status' && event.status === 'pending',
  }
}
