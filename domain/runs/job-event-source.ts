import type { EventType } from '../webhooks/events.ts'
import type { StreamId } from '../shared/stream-id.ts'

/*
 * How job events get from the worker to a client:
 *
 *   1. The worker publishes events in order (streams/job-publisher.ts). One script appends each event to the Redis
 *      stream of the job and publishes it on the channel of the job (streams/append-event.ts).
 *   2. A client opens a stream (api/sse/sse-server.ts). `subscribe` first subscribes to the channel, then reads the
 *      range that Redis has stored. Every later event is in the stream, on the channel, or both.
 *   3. `start` compares the range with the client's position. If events are missing between them, the sink gets
 *      `onGap`: the session (api/sse/sse-session.ts) sends a snapshot from Postgres.
 *   4. The subscription (streams/stream-subscription.ts) reads the stored events page by page. Live events of that time
 *      are not delivered. The newest one is the position that the pages have to reach.
 *   5. The sink gets `onCaughtUp`, then live events as they come.
 *   6. When the connection to Redis is lost, the subscription pauses. Once the channel is subscribed again, it
 *      continues with step 3.
 *   7. The stream ends after the terminal event. If Redis has lost that event, the session sends it from Postgres.
 */

/** One event of a stream. All readers of the stream receive the same object. */
export interface StreamEntry {
  id: string
  at: StreamId
  /** The event JSON as published. */
  json: string
  /** True for the terminal event. */
  ends: boolean
  /** True for the first event of a stream. If this event is stored, no earlier event is missing. */
  opens: boolean
}

export type JobEntry = StreamEntry

/** One event in a workspace stream. Such a stream has no start and no end. */
export interface WorkspaceEntry extends StreamEntry {
  type: EventType
  /** The brain to which the event belongs. Null for the workspace itself. */
  brain_id: string | null
}

/** Receives the events of one stream. */
export interface EntrySink<E extends StreamEntry> {
  /** Returns false to make a replay wait for `whenDrained`. Live events don't wait. */
  onEvent(entry: E): boolean
  /** Resolves when the sink accepts more events, or is closed. */
  whenDrained(): Promise<void>
  /** Events before the next one are missing. The reader must resume from `at`. `ends`: the terminal event is stored. */
  onGap(gap: { at: string; ends: boolean }): Promise<void>
  /** All stored events up to the position were delivered, and the stream has not ended. */
  onCaughtUp(position: string): Promise<void>
  /** The reader's position is at or after the terminal event, so no event follows. */
  onAlreadyEnded(): void
}

export type JobEventSink = EntrySink<JobEntry>

export interface Subscription<E extends StreamEntry = JobEntry> {
  start(sink: EntrySink<E>): void
  close(): void
}

export interface JobSubscription extends Subscription {
  /**
   * Position of the reader before `start` is called: at the stored terminal event, before it, or unknown if no
   * terminal event is stored.
   */
  readonly end: 'reached' | 'ahead' | 'unknown'
}

export interface JobEventSource {
  /**
   * Subscribes to a job: the stored events after `after` (default: all), then live events, each once and in order,
   * until the terminal event or `close`. No event is missed if `start` is called late. Throws Unavailable.
   */
  subscribe(jobId: string, after?: string): Promise<JobSubscription>
}

export interface WorkspaceEventSource {
  /** Subscribes to the events of a workspace. Without `after`, it starts with the next event. */
  subscribe(workspaceId: string, after?: string): Promise<Subscription<WorkspaceEntry>>
  /** Returns the position after the latest event of a workspace. Throws Unavailable. */
  readPosition(workspaceId: string): Promise<string>
}
