import type { Principal } from '../../domain/principal.ts'
import type { AppContext } from '../routing/state.ts'
import { OPEN } from './frames.ts'
import { EVENT_STREAM, openSseConnection } from './sse-connection.ts'
import type { OpenStream, SseRegistry } from './sse-registry.ts'

/** The end of credentials without an expiry. */
const NEVER = '9999-12-31T00:00:00Z'

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
  { workspace_id: workspaceId, key_id: credentialId }: Principal,
  registry: SseRegistry<S>,
  { build, onClose }: { build: (stream: OpenStream) => S; onClose: () => void },
): S {
  ctx.respond = false
  ctx.status = 200
  const expiresAt = Date.parse(ctx.state.caller?.expires_at ?? NEVER)
  const connection = openSseConnection(ctx.res, OPEN)
  const stream = build({ workspaceId, credentialId, expiresAt, connection })
  registry.add(stream)
  ctx.res.once('close', () => {
    onClose()
    registry.remove(stream)
  })
  return stream
}
