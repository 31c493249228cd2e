import { findEventBrain, type WorkspaceEvent } from '../domain/webhooks/events.ts'
import type { JobEntry, StreamEntry, WorkspaceEntry } from '../domain/runs/job-event-source.ts'
import type { JobEvent } from '../domain/runs/events.ts'
import { parseStreamId } from '../domain/shared/stream-id.ts'

/** An entry as Redis returns it: the id, then the field names and values. */
export type StoredEntry = [id: string, fields: string[]]

export const streamKey = (jobId: string): string => `ganglion:job:${jobId}:events`

/**
 * The key of a hash that contains the latest attempt of each retried node, by node key, and the names of once-only
 * events.
 */
export const attemptsKey = (jobId: string): string => `ganglion:job:${jobId}:attempts`

/** The channel for live events. A message is `<id> <json>`. */
export const liveChannel = (jobId: string): string => `ganglion:job:${jobId}:live`

export const isTerminalEvent = (event: JobEvent): boolean => event.type === 'complete' || event.type === 'error'

/** A Redis stream, with the channel for its live events. */
export interface EventStream<E extends StreamEntry> {
  /** The name of the stream in logs. */
  name: string
  key: string
  channel: string
  /** Whether a reader without a position starts with the next event rather than the oldest one. */
  startsAtEnd: boolean
  toEntry(id: string, json: string): E
}

export const jobStream = (jobId: string): EventStream<JobEntry> => ({
  name: jobId,
  key: streamKey(jobId),
  channel: liveChannel(jobId),
  startsAtEnd: false,
  toEntry(id, json) {
    const event = JSON.parse(json) as JobEvent
    const opens = event.type === 'status' && event.status === 'pending'
    return { id, at: parseStreamId(id), json, ends: isTerminalEvent(event), opens }
  },
})

export const workspaceStream = (workspaceId: string): EventStream<WorkspaceEntry> => ({
  name: workspaceId,
  key: `ganglion:workspace:${workspaceId}:events`,
  channel: `ganglion:workspace:${workspaceId}:live`,
  startsAtEnd: true,
  toEntry(id, json) {
    const event = JSON.parse(json) as WorkspaceEvent
    const brain_id = findEventBrain(event)
    return { id, at: parseStreamId(id), json, ends: false, opens: false, type: event.type, brain_id }
  },
})

export const parseStoredEntry = <E extends StreamEntry>(stream: EventStream<E>, [id, fields]: StoredEntry): E =>
  stream.toEntry(id, fields[1] ?? '{}')

/** Parses a channel message. */
export function parsePublishedEntry<E extends StreamEntry>(stream: EventStream<E>, message: string): E {
  const space = message.indexOf(' ')
  return stream.toEntry(message.slice(0, space), message.slice(space + 1))
}
