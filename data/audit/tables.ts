import type { JsonObject } from '../../domain/shared/json/json.ts'
import { defineTable, bigint, generated, jsonb, nullable, primary, text, time, uuid } from '../shared/table.ts'

/** The audit log. Each workspace has its own hash chain. */
export const auditLogTable = defineTable('audit_log', {
  id: primary(generated(bigint())),
  workspace_id: uuid(),
  at: time(),
  actor: text(),
  action: text(),
  target: text(),
  /** Must not contain secrets or content. */
  details: jsonb<JsonObject>(),
  /** The person behind the actor. */
  person: nullable(text()),
  key_id: nullable(text()),
  /** The first word of the action, which is the type of the object in `target`. */
  target_type: generated(text()),
  brain_id: nullable(uuid()),
  /** The X-Request-Id or the job id. Set from the transaction, so that no caller can omit it. */
  request_id: nullable(text()),
  /** SHA-256 of the canonical JSON of the target, before and after the change. */
  before_hash: nullable(text()),
  after_hash: nullable(text()),
})

/** One seal per entry. Seals have their own sequence numbers, because entries can commit in any order. */
export const auditSealsTable = defineTable('audit_seals', {
  workspace_id: primary(uuid()),
  /** Starts at 1 and has no gaps. */
  seq: primary(bigint()),
  audit_id: bigint(),
  /** The time of the entry. It shows whether the entry was old enough to expire. */
  at: text(),
  /** SHA-256 of the entry without its id. */
  row_hash: text(),
  /** SHA-256 of the previous hash, the fields above and seq. */
  hash: text(),
  sealed_at: time(),
  /** The time when retention removed the entry. */
  expired_at: nullable(time()),
})

export const auditUnsealedTable = defineTable('audit_unsealed', {
  workspace_id: primary(uuid()),
  audit_id: primary(bigint()),
})
