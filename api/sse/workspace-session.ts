import type { EntrySink, WorkspaceEntry } from '../../domain/runs/job-event-source.ts'
import { encodeEntry, encodeEvent } from './frames.ts'
import type { SseConnection } from './sse-connection.ts'

/** The stream that sends workspace events to one client. */
export interface WorkspaceSession {
  sink: EntrySink<WorkspaceEntry>
  /** Sends the position if events for other clients have passed, so that this client resumes after those events. */
  sendPosition(): void
}

interface Deps {
  connection: SseConnection
  after?: string
  /** Whether the client receives the event. */
  accepts: (entry: WorkspaceEntry) => boolean
}

const GAP = {
  type: 'gap',
  message: 'Earlier events are no longer kept. Reload the data you follow',
} as const
const POSITION = { type: 'position' } as const

export function createWorkspaceSession({ connection, after, accepts }: Deps): WorkspaceSession {
  let position = after
  /** Last event id sent to the client. */
  let lastSentId = after

  function sendPosition(): void {
    if (position === undefined || position === lastSentId) return
    lastSentId = position
    connection.send(encodeEvent(position, POSITION))
  }

  return {
    sink: {
      onEvent(entry) {
        position = entry.id
        if (!accepts(entry)) return true
        lastSentId = entry.id
        return connection.send(encodeEntry(entry))
      },
      whenDrained: () => connection.whenDrained(),
      onGap({ at }) {
        position = at
        lastSentId = at
        connection.send(encodeEvent(at, GAP))
        return connection.whenDrained()
      },
      async onCaughtUp(at) {
        position = at
        if (lastSentId === undefined) sendPosition()
      },
      onAlreadyEnded: () => undefined,
    },
    sendPosition,
  }
}
