import type { Tx } from '../data/database.ts'
import { claimIdempotency } from '../data/idempotency-store.ts'
import { Conflict } from '../domain/errors.ts'
import type { JsonValue } from '../domain/json.ts'
import type { Idempotency } from './jobs/types.ts'

/** What a key stands for. */
export interface Claimed {
  /** False when this request came before. */
  fresh: boolean
  /** What the first request with the key made or started. */
  target: string
  /** What was kept of the answer to it. */
  response: JsonValue
}

/** Claims a caller's key for `target`. Throws Conflict when another request has used it. */
export async function claimKey(tx: Tx, request: Idempotency, target: string, hours: number): Promise<Claimed> {
  const { key, route, body_hash } = request
  const answer = await claimIdempotency(tx, { key, route, body_hash, target, hours })
  if (answer.fresh) return { fresh: true, target, response: null }
  if (answer.body_hash !== body_hash) throw new Conflict('The Idempotency-Key was already used for another request')
  return answer
}
