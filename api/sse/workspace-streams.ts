import type { Logger } from 'pino'
import { Unavailable } from '../../domain/shared/errors.ts'
import { type EventFilter, findEventPermission, passesFilters } from '../../domain/webhooks/events.ts'
import type { WorkspaceEntry, WorkspaceEventSource } from '../../domain/runs/job-event-source.ts'
import { canReadBrain } from '../../services/access/brains.ts'
import type { AppContext } from '../routing/state.ts'
import { admitStream, openStream } from './open-stream.ts'
import { createSseRegistry, type OpenStream, type StreamAccess } from './sse-registry.ts'
import type { AdmitStream } from './stream-limit.ts'
import { createWorkspaceSession, type WorkspaceSession } from './workspace-session.ts'
import type { Caller } from '../../services/access/callers.ts'

export interface WorkspaceStreams {
  /**
   * Streams the events that the caller may see until the client disconnects. Throws Unavailable, but only before
   * anything is sent.
   */
  serve(ctx: AppContext, caller: Reader, request: { after?: string; types?: EventFilter[] }): Promise<void>
  /** Returns the position after the latest event of the workspace. Null while Redis is unavailable. */
  readPosition(workspaceId: string): Promise<string | null>
  /** Ends all streams and rejects new ones. Clients resume on another process. */
  close(): void
}

/** A caller with the brain of its request. */
type Reader = Pick<Caller, 'principal'>

interface Deps {
  access: StreamAccess
  events: WorkspaceEventSource
  admit: AdmitStream
  pingSeconds: number
  log: Logger
}

interface WorkspaceStream extends OpenStream {
  session: WorkspaceSession
}

export function createWorkspaceStreams({ access, events, admit, pingSeconds, log }: Deps): WorkspaceStreams {
  const registry = createSseRegistry<WorkspaceStream>({
    checks: {
      async check(_workspaceId, streams) {
        for (const { session } of streams) session.sendPosition()
      },
    },
    access,
    pingSeconds,
    log,
  })

  return {
    async serve(ctx, { principal }, { after, types }) {
      registry.checkOpen()
      if (!(await admitStream(ctx, principal, admit))) return
      const subscription = await events.subscribe(principal.workspace_id, after)
      if (ctx.res.destroyed || registry.isClosed()) {
        subscription.close()
        return registry.checkOpen()
      }
      const accepts = ({ type, brain_id }: WorkspaceEntry) =>
        passesFilters(type, types) &&
        principal.permissions.has(findEventPermission(type)) &&
        canReadBrain(principal, brain_id)
      const { session } = openStream(ctx, registry, {
        build: stream => ({
          ...stream,
          session: createWorkspaceSession({ connection: stream.connection, after, accepts }),
        }),
        onClose: () => subscription.close(),
      })
      subscription.start(session.sink)
    },
    readPosition: workspaceId =>
      events.readPosition(workspaceId).catch((error: unknown) => {
        if (error instanceof Unavailable) return null
        throw error
      }),
    close: () => registry.close(),
  }
}
