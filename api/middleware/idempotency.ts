import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { ValidationError } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import { splitBrainId } from '../routing/brain-id.ts'
import type { Step } from '../routing/state.ts'

/** An `Idempotency-Key`. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

/**
 * Reads the `Idempotency-Key`, which belongs to the caller and the brain of the request. The hash of route and canonical
 * body tells a repetition from another request.
 */
export const idempotency: Step = (ctx, next) => {
  const key = ctx.headers['idempotency-key']
  if (key === undefined) return next()
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new ValidationError('The Idempotency-Key must have 1 to 255 printable characters')
  }
  const route = `${ctx.method} ${ctx.path}`
  const request = canonicalize([route, splitBrainId(ctx.state.json).body]) ?? ''
  const body_hash = createHash('sha256').update(request).digest('hex')
  ctx.state.idempotency = { key: `${hashOwner(ctx.state.principal)} ${key}`, route, body_hash }
  return next()
}

/** Hashes the caller with its brains and the brain context of the request, which may be named in two ways. */
function hashOwner(principal?: Principal): string {
  const owner = [principal?.actor, principal?.brain_ids, principal?.brain?.id]
  return createHash('sha256').update(JSON.stringify(owner)).digest('hex')
}
