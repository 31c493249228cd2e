import type { JobEvent } from '../../domain/runs/events.ts'
import { compareIds, parseStreamId } from '../../domain/shared/stream-id.ts'
import type { JobEntry, JobEventSink } from '../../domain/runs/job-event-source.ts'
import type { JobSnapshot } from '../../services/runs/snapshot.ts'
import { encodeEntry, encodeEvent } from './frames.ts'
import type { SseConnection } from './sse-connection.ts'

/** The stream that sends one job's events to one client. */
export interface SseSession {
  sink: JobEventSink
  /** True if no event has arrived since the last call. */
  takeIdle(): boolean
  /** Sends a snapshot of the job. Ends the stream if the run has ended. */
  sendSnapshot(): Promise<void>
}

/**
 * Returns the event as the client should see it, or undefined to omit the event. Without this function, the client
 * gets all events unchanged.
 */
export type PresentEvent = (event: JobEvent) => object | undefined

interface Deps {
  connection: SseConnection
  after?: string
  /** True if the run had ended before the stream was opened. */
  hasEnded: boolean
  readSnapshot: () => Promise<JobSnapshot>
  present?: PresentEvent
  /** Called once, after the last event. */
  onEnd: () => void
}

const GAP: JobEvent = {
  type: 'gap',
  message: 'Earlier events are no longer kept. The stored state of the job follows',
}

export function createSseSession({ connection, after, hasEnded, readSnapshot, present, onEnd }: Deps): SseSession {
  let last = after ?? '0-0'
  let idle = true
  let isOver = false
  /** Keys of the nodes whose transcript was sent in a snapshot. */
  const replayed = new Set<string>()
  let sending: Promise<void> | undefined

  function end(): void {
    if (isOver) return
    isOver = true
    connection.end()
    onEnd()
  }

  /**
   * Sends events. The id is a position in the stream, so that a client can also resume from an event that is not
   * stored.
   */
  async function send(events: JobEvent[], at: string): Promise<void> {
    for (const event of present ? events.flatMap(each => present(each) ?? []) : events)
      if (!connection.send(encodeEvent(at, event))) await connection.whenDrained()
  }

  /** Sends a snapshot. The terminal event comes last, unless the stream contains it. */
  async function replaySnapshot(at: string, streamEnds: boolean): Promise<void> {
    const { terminal, finished_at, events } = await readSnapshot()
    if (isOver) return
    for (const event of events) if (event.type === 'token' && event.key) replayed.add(event.key)
    const endsAt = streamEnds ? undefined : buildEndId(finished_at)
    if (!terminal || !endsAt) return send([GAP, ...events], at)
    if (!isAtOrBeyond(endsAt)) await send([GAP, ...events], at)
    await sendTerminal(terminal, endsAt)
  }

  /** Encodes an entry for the client. Unchanged entries are encoded only once for all clients. */
  function encodeFor(entry: JobEntry): Buffer | undefined {
    if (!present) return encodeEntry(entry)
    const event = present(JSON.parse(entry.json) as JobEvent)
    return event && encodeEvent(entry.id, event)
  }

  /** True for a token whose transcript was already sent in a snapshot. */
  function isReplayed({ json }: JobEntry): boolean {
    const event = JSON.parse(json) as JobEvent
    return (
      (event.type === 'token' || event.type === 'attempt_reset') && event.key !== undefined && replayed.has(event.key)
    )
  }

  async function sendTerminal(terminal: JobEvent, endsAt: string): Promise<void> {
    if (!isAtOrBeyond(endsAt)) await send([terminal], endsAt)
    end()
  }

  const isAtOrBeyond = (id: string) => isReached(after, id)

  /** Sends the terminal event if Redis has lost it: the run has ended, but no stored event is terminal. */
  async function sendMissedEnd(): Promise<void> {
    const { terminal, finished_at } = await readSnapshot()
    const endsAt = buildEndId(finished_at)
    if (!isOver && terminal && endsAt) await sendTerminal(terminal, endsAt)
  }

  return {
    sink: {
      onEvent(entry) {
        last = entry.id
        idle = false
        if (replayed.size > 0 && isReplayed(entry)) return true
        const frame = encodeFor(entry)
        const acceptsMore = frame === undefined || connection.send(frame)
        if (entry.ends) end()
        return acceptsMore
      },
      whenDrained: () => connection.whenDrained(),
      onGap: ({ at, ends }) => replaySnapshot(at, ends),
      onCaughtUp: async () => {
        if (hasEnded) await sendMissedEnd()
      },
      onAlreadyEnded: end,
    },
    takeIdle() {
      const was = idle
      idle = true
      return was
    },
    sendSnapshot() {
      sending ??= replaySnapshot(last, false).finally(() => (sending = undefined))
      return sending
    },
  }
}

/** True if a reader that resumes after `after` already has the event with this id. */
export const isReached = (after: string | undefined, id: string): boolean =>
  after !== undefined && compareIds(parseStreamId(after), parseStreamId(id)) >= 0

/** Returns the position of a terminal event that is not stored in the stream. */
export const buildEndId = (finishedAt: string | undefined) => (finishedAt ? `${Date.parse(finishedAt)}-0` : undefined)
