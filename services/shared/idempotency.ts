import type { Tx } from '../../data/shared/database.ts'
import { claimIdempotency, findIdempotency, saveIdempotentResponse } from '../../data/shared/idempotency-store.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'

/** The idempotency key of a request, with a hash of route and body that distinguishes a repeat from another request. */
export interface Idempotency {
  key: string
  route: string
  body_hash: string
}

export interface KeyClaim {
  /** False when an earlier request has used the key. */
  isNew: boolean
  /** The id of the resource or job of the first request with the key. */
  target: string
  /** The response stored by `saveResponse`, or null. */
  response: JsonValue
}

/** The idempotency keys of requests. */
export interface IdempotencyKeys {
  /**
   * Claims the key of a request for `target`. A request without a key is always new. Throws Conflict when another
   * request has used the key.
   */
  claim(tx: Tx, request: Idempotency | undefined, target: string): Promise<KeyClaim>
  /** Throws Conflict when another request has used the key. Claims nothing: for what comes before a claim and takes long. */
  check(tx: Tx, request: Idempotency | undefined): Promise<void>
  /** Stores a response for repeats of the request. */
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
