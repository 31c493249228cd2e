import type { Principal } from '../../domain/access/principal.ts'
import type { AppContext } from '../routing/state.ts'
import { OPEN } from './frames.ts'
import { EVENT_STREAM, openSseConnection } from './sse-connection.ts'
import type { OpenStream, SseRegistry } from './sse-registry.ts'
import type { AdmitStream } from './stream-limit.ts'

/**
 * Admits a request's stream until the client disconnects. Returns false if no stream should open: for a HEAD request,
 * which gets a response, or if the client has already disconnected. Throws RateLimited.
 */
export async function admitStream(ctx: AppContext, principal: Principal, admit: AdmitStream): Promise<boolean> {
  if (ctx.method === 'HEAD') {
    ctx.status = 200
    ctx.type = EVENT_STREAM
    return false
  }
  const release = await admit(principal)
  if (!ctx.res.destroyed) ctx.res.once('close', release)
  else release()
  return !ctx.res.destroyed
}

/** Starts the response for a stream, and registers the stream until the client disconnects. */
export function openStream<S extends OpenStream>(
  ctx: AppContext,
  registry: SseRegistry<S>,
  { build, onClose }: { build: (stream: OpenStream) => S; onClose: () => void },
): S {
  const { caller } = ctx.state
  if (!caller) throw new Error('streams require an authenticated caller')
  ctx.respond = false
  ctx.status = 200
  const connection = openSseConnection(ctx.res, OPEN)
  const stream = build({ workspaceId: caller.principal.workspace_id, caller, connection })
  registry.add(stream)
  ctx.res.once('close', () => {
    onClose()
    registry.remove(stream)
  })
  return stream
}
