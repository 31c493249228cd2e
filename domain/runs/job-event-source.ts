import type { EventType } from '../webhooks/events.ts'
import type { StreamId } from '../shared/stream-id.ts'

/*
 * The path of the events of a job, from the worker to a client:
 *
 *   1. The worker publishes events in order (streams/job-publisher.ts). One script appends each event to the Redis
 *      stream of the job and publishes it on the channel of the job (streams/append-event.ts).
 *   2. A client opens a stream (api/sse/sse-server.ts). `subscribe` first subscribes to the channel, then reads the
 *      range that Redis has stored. Every later event is in the stream, on the channel, or both.
 *   3. `start` compares the range with the position of the client. If events are missing between them, the sink gets
 *      `onGap`: the session (api/sse/sse-session.ts) sends a snapshot from Postgres.
 *   4. The subscription (streams/stream-subscription.ts) reads the stored events page by page. Live events of that time
 *      are not delivered. The newest one is the position that the pages have to reach.
 *   5. The sink gets `onCaughtUp`, then live events as they come.
 *   6. When the connection to Redis is lost, the subscription pauses. Once the channel is subscribed again, it
 *      continues with step 3.
 *   7. The stream ends after the terminal event. If Redis has lost that event, the session sends it from Postgres.
 */

/** One event of a stream. All readers of the stream get the same object. */
export interface StreamEntry {
  id: string
  at: StreamId
  /** The event as published. */
  json: string
  /** True for the terminal event. */
  ends: boolean
  /** True for the first event of every stream: where it is stored, no earlier event is missing. */
  opens: boolean
}

export type JobEntry = StreamEntry

/** One event of a workspace's stream. Such a stream has no beginning and no end. */
export interface WorkspaceEntry extends StreamEntry {
  type: EventType
  /** The brain that the event belongs to; null for the workspace. */
  brain_id: string | null
}

/** Receives the events of one stream. */
export interface EntrySink<E extends StreamEntry> {
  /** Returns false to make a replay wait for `whenDrained`. Live events do not wait. */
  onEvent(entry: E): boolean
  /** Resolves when the sink accepts more events, or is closed. */
  whenDrained(): Promise<void>
  /** Events before the next one are missing. The reader resumes from `at`; `ends`: the terminal event is stored. */
  onGap(gap: { at: string; ends: boolean }): Promise<void>
  /** All stored events up to the position were delivered, and the stream has not ended. */
  onCaughtUp(position: string): Promise<void>
  /** The position of the reader is at or beyond the terminal event: no event follows. */
  onAlreadyEnded(): void
}

export type JobEventSink = EntrySink<JobEntry>

export interface Subscription<E extends StreamEntry = JobEntry> {
  start(sink: EntrySink<E>): void
  close(): void
}

export interface JobSubscription extends Subscription {
  /** Where the reader is, before the start: at the stored terminal event, before it, or unknown if none is stored. */
  readonly end: 'reached' | 'ahead' | 'unknown'
}

export interface JobEventSource {
  /**
   * Subscribes to a job: the stored events after `after` (all when absent), then live events, each once and in order,
   * until the terminal event or `close`. No event is missed if `start` is called late; throws Unavailable.
   */
  subscribe(jobId: string, after?: string): Promise<JobSubscription>
}

export interface WorkspaceEventSource {
  /** The same for the events of a workspace. Without `after` it begins with the next event. */
  subscribe(workspaceId: string, after?: string): Promise<Subscription<WorkspaceEntry>>
  /** Reads the position behind the latest event of a workspace. Throws Unavailable. */
  readPosition(workspaceId: string): Promise<string>
}
