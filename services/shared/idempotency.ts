import type { Tx } from '../../data/shared/database.ts'
import { claimIdempotency, findIdempotency, saveIdempotentResponse } from '../../data/shared/idempotency-store.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/**
 * A request's idempotency key, with a hash of the route and body to distinguish repeated requests from different
 * requests.
 */
export interface Idempotency {
  key: string
  route: string
  body_hash: string
}

export interface KeyClaim {
  /** False if an earlier request used the key. */
  isNew: boolean
  /** The id of the resource or job that the first request with the key created. */
  target: string
  /** The response that `saveResponse` stored, or null. */
  response: JsonValue
}

/** The idempotency keys of requests. */
export interface IdempotencyKeys {
  /**
   * Claims the request's key for `target`. A request without a key is always new. Throws Conflict if a different
   * request used the key.
   */
  claim(tx: Tx, request: Idempotency | undefined, target: string): Promise<KeyClaim>
  /**
   * Throws Conflict if a different request used the key. Does not claim the key. Call before slow work that precedes
   * the claim.
   */
  check(tx: Tx, request: Idempotency | undefined): Promise<void>
  /** Stores the response for repeated requests. */
  saveResponse(tx: Tx, request: Idempotency | undefined, response: JsonValue): Promise<void>
}

/** @param hours lifetime of a claim */
export function createIdempotencyKeys({ hours }: { hours: number }): IdempotencyKeys {
  return {
    async claim(tx, request, target) {
      const claim = request && (await claimIdempotency(tx, { ...request, target, hours }))
      if (!claim || claim.fresh) return { isNew: true, target, response: null }
      if (claim.body_hash === request.body_hash) return { isNew: false, target: claim.target, response: claim.response }
      throw keyReusedError()
    },
    async check(tx, request) {
      const record = request && (await findIdempotency(tx, request.key))
      if (record && record.body_hash !== request.body_hash) throw keyReusedError()
    },
    async saveResponse(tx, request, response) {
      if (request) await saveIdempotentResponse(tx, request.key, response)
    },
  }
}

const keyReusedError = () => new Conflict('The Idempotency-Key was already used for another request')
