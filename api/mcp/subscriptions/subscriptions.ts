import type { ServerResponse } from 'node:http'
import type { ServerEventBus } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { WorkspaceEventSource } from '../../../domain/runs/job-event-source.ts'
import type { AppContext } from '../../routing/state.ts'
import { admitStream } from '../../sse/open-stream.ts'
import type { SseConnection } from '../../sse/sse-connection.ts'
import { createSseRegistry, type OpenStream, type StreamAccess } from '../../sse/sse-registry.ts'
import type { AdmitStream } from '../../sse/stream-limit.ts'
import type { Reach } from '../calls/reach.ts'
import { createEventBus } from './event-bus.ts'
import type { Caller } from '../../../services/access/callers.ts'

interface Deps {
  access: StreamAccess
  workspaceEvents: WorkspaceEventSource
  admit: AdmitStream
  pingSeconds: number
  log: Logger
}

export interface Subscriptions {
  /**
   * Opens the source of a change stream within the stream limits. The stream ends when its credential expires, is
   * revoked or changes. Returns undefined if the client has disconnected. Throws RateLimited or Unavailable.
   */
  open(ctx: AppContext, caller: Caller, reach: Reach): Promise<ServerEventBus | undefined>
  close(): void
}

/** The open change streams (`subscriptions/listen`) of this process. */
export function createSubscriptions({ access, workspaceEvents, admit, pingSeconds, log }: Deps): Subscriptions {
  const checks = { check: () => Promise.resolve() }
  const registry = createSseRegistry<OpenStream>({ checks, access, pingSeconds, log })
  return {
    async open(ctx, caller, reach) {
      registry.checkOpen()
      if (!(await admitStream(ctx, caller.principal, admit))) return undefined
      const subscription = await workspaceEvents.subscribe(caller.principal.workspace_id)
      if (ctx.res.destroyed || registry.isClosed()) {
        subscription.close()
        registry.checkOpen()
        return undefined
      }
      const { workspace_id: workspaceId } = caller.principal
      const stream = { workspaceId, caller, connection: adoptResponse(ctx.res) }
      registry.add(stream)
      ctx.res.once('close', () => {
        subscription.close()
        registry.remove(stream)
      })
      return createEventBus(subscription, caller, reach)
    },
    close: () => registry.close(),
  }
}

/** A client that reads nothing for this many milliseconds is disconnected. */
const MAX_STUCK_MS = 30_000
const ENDING_MS = 500

/** Adds keep-alives to a response written by the SDK. */
function adoptResponse(res: ServerResponse): SseConnection {
  let stuckSince: number | undefined
  return {
    isOpen: () => !res.destroyed,
    send: () => true,
    whenDrained: () => Promise.resolve(),
    // The SDK may still be writing the last part of the stream.
    end: () => void setTimeout(() => res.destroy(), ENDING_MS).unref(),
    tick(now) {
      stuckSince = res.writableNeedDrain ? (stuckSince ?? now) : undefined
      if (stuckSince !== undefined && now - stuckSince > MAX_STUCK_MS) res.destroy()
    },
  }
}
