import { createHash } from 'node:crypto'
import { writeCanonical } from '../../domain/shared/json/canonical-json.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Idempotency } from '../../services/shared/idempotency.ts'
import { splitBrainId } from '../routing/brain-id.ts'
import type { Step } from '../routing/state.ts'

/** Pattern of a valid `Idempotency-Key`. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

/**
 * Reads the `Idempotency-Key`, which is scoped to the caller and the brain of the request. A hash of the route and
 * the canonical body distinguishes a repeated request from a different one.
 */
export const idempotency: Step = (ctx, next) => {
  const key = ctx.headers['idempotency-key']
  if (key === undefined) return next()
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new ValidationError('The Idempotency-Key must have 1 to 255 printable characters')
  }
  const route = `${ctx.method} ${ctx.path}`
  ctx.state.idempotency = buildIdempotency(ctx.state.principal, key, { route, body: splitBrainId(ctx.state.json).body })
  return next()
}

/** Builds the claim of an idempotency key for a request. */
export function buildIdempotency(
  principal: Principal | undefined,
  key: string,
  { route, body }: { route: string; body: unknown },
): Idempotency {
  const request = writeCanonical([route, body])
  const body_hash = createHash('sha256').update(request).digest('hex')
  return { key: `${hashOwner(principal)} ${key}`, route, body_hash }
}

/**
 * Hashes the caller together with its brains and the request's brain. The brain must be hashed explicitly, because it
 * can be sent in the header or in the body.
 */
function hashOwner(principal?: Principal): string {
  const owner = [principal?.actor, principal?.brain_ids, principal?.brain?.id]
  return createHash('sha256').update(JSON.stringify(owner)).digest('hex')
}
