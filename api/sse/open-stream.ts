import type { Principal } from '../../domain/access/principal.ts'
import type { AppContext } from '../routing/state.ts'
import { OPEN } from './frames.ts'
import { EVENT_STREAM, openSseConnection } from './sse-connection.ts'
import type { OpenStream, SseRegistry } from './sse-registry.ts'
import type { AdmitStream } from './stream-limit.ts'

/** Expiry of credentials that never expire. */
const NEVER = '9999-12-31T00:00:00Z'

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
  principal: Principal,
  registry: SseRegistry<S>,
  { build, onClose }: { build: (stream: OpenStream) => S; onClose: () => void },
): S {
  ctx.respond = false
  ctx.status = 200
  const connection = openSseConnection(ctx.res, OPEN)
  const stream = build({ ...getStreamOwner(ctx, principal), connection })
  registry.add(stream)
  ctx.res.once('close', () => {
    onClose()
    registry.remove(stream)
  })
  return stream
}

/** Returns the owner of a stream. The stream ends when the owner's credential expires or is revoked. */
export function getStreamOwner(
  ctx: AppContext,
  { workspace_id: workspaceId, key_id: credentialId, actor }: Principal,
): Omit<OpenStream, 'connection'> {
  const { kind, expires_at = NEVER } = ctx.state.caller ?? {}
  const isOfUser = kind === 'publishable_key' || kind === 'access_token'
  const member = isOfUser ? actor : undefined
  return {
    workspaceId,
    credentialId: kind === 'access_token' ? undefined : credentialId,
    expiresAt: Date.parse(expires_at),
    member,
  }
}
