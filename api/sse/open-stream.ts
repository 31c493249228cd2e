import type { Principal } from '../../domain/principal.ts'
import type { AppContext } from '../routing/state.ts'
import { OPEN } from './frames.ts'
import { EVENT_STREAM, openSseConnection } from './sse-connection.ts'
import type { OpenStream, SseRegistry } from './sse-registry.ts'

/** Responds to a HEAD request for a stream. Returns false for other requests. */
export function respondToHead(ctx: AppContext): boolean {
  if (ctx.method !== 'HEAD') return false
  ctx.status = 200
  ctx.type = EVENT_STREAM
  return true
}

/** Begins the response of a stream and registers it until the client disconnects. */
export function openStream<S extends OpenStream>(
  ctx: AppContext,
  { workspace_id: workspaceId, key_id: keyId }: Principal,
  registry: SseRegistry<S>,
  { build, onClose }: { build: (stream: OpenStream) => S; onClose: () => void },
): S {
  ctx.respond = false
  ctx.status = 200
  const stream = build({ workspaceId, keyId, connection: openSseConnection(ctx.res, OPEN) })
  registry.add(stream)
  ctx.res.once('close', () => {
    onClose()
    registry.remove(stream)
  })
  return stream
}
