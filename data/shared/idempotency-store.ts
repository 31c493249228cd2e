import { randomUUID } from 'node:crypto'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { Tx } from './database.ts'
import { execute, selectOne } from './statements.ts'
import { list, pick } from './table.ts'
import { idempotencyKeysTable } from '../access/tables.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'

export interface IdempotencyClaim {
  /** The `Idempotency-Key` of the request. Unique per workspace. */
  key: string
  route: string
  body_hash: string
  /** The id of the job or resource that this request starts, creates or addresses. */
  target: string
  /** How long the claim is valid, in hours. */
  hours: number
}

export type ClaimResult = { fresh: true } | { fresh: false; body_hash: string; target: string; response: JsonValue }

const HELD = pick(idempotencyKeysTable, 'claim', 'body_hash', 'target', 'response')

/**
 * Claims a key for this request. If another request holds the key, returns that request with its `response` (null
 * until it has responded). A concurrent claim waits until the first transaction ends. An expired claim is replaced.
 */
export async function claimIdempotency(tx: Tx, request: IdempotencyClaim): Promise<ClaimResult> {
  const claim = randomUUID()
  const existing = await selectOne(
    tx,
    HELD,
    `insert into idempotency_keys as existing (key, route, body_hash, target, claim, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6))
     on conflict (workspace_id, key) do update set
       (route, body_hash, target, claim, response, expires_at) = (
         select replacement.* from (select excluded.route, excluded.body_hash, excluded.target, excluded.claim,
                                    excluded.response, excluded.expires_at) replacement
          where existing.expires_at <= now()
         union all
         select existing.route, existing.body_hash, existing.target, existing.claim, existing.response, existing.expires_at
          where existing.expires_at > now())
     returning ${list(HELD)}`,
    [request.key, request.route, request.body_hash, request.target, claim, request.hours],
  )
  if (!existing || existing.claim === claim) return { fresh: true }
  return { fresh: false, body_hash: existing.body_hash, target: existing.target, response: existing.response }
}

/** Returns the request that holds a key, or undefined. */
export async function findIdempotency(tx: Tx, key: string): Promise<{ body_hash: string } | undefined> {
  return selectOne(
    tx,
    pick(idempotencyKeysTable, 'body_hash'),
    'select body_hash from idempotency_keys where key = $1 and expires_at > now()',
    [key],
  )
}

/** Stores the response to the request that holds the key. Repeated requests then return the stored response. */
export async function saveIdempotentResponse(tx: Tx, key: string, response: JsonValue): Promise<void> {
  await execute(tx, 'update idempotency_keys set response = $2 where key = $1', [key, toStorableJson(response)])
}
