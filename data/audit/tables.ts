import type { JsonObject } from '../../domain/shared/json/json.ts'
import { defineTable, bigint, generated, jsonb, nullable, primary, text, time, uuid } from '../shared/table.ts'

/** The audit log, as a chain of hashes for each workspace. */
export const auditLogTable = defineTable('audit_log', {
  id: primary(generated(bigint())),
  workspace_id: uuid(),
  at: time(),
  actor: text(),
  action: text(),
  target: text(),
  /** Holds neither secrets nor contents. */
  details: jsonb<JsonObject>(),
  /** The person behind the actor, and the credential. */
  person: nullable(text()),
  key_id: nullable(text()),
  /** The first word of the action: what the id in target is the id of. */
  target_type: generated(text()),
  brain_id: nullable(uuid()),
  /** Of the transaction, so that no writer can forget it: the X-Request-Id, or the id of the job. */
  request_id: nullable(text()),
  /** SHA-256 over the canonical JSON of the target before and after the change. */
  before_hash: nullable(text()),
  after_hash: nullable(text()),
})

/** One seal for each entry, in an order of its own: entries commit in any order. */
export const auditSealsTable = defineTable('audit_seals', {
  workspace_id: primary(uuid()),
  /** Counts from 1 without gaps. */
  seq: primary(bigint()),
  audit_id: bigint(),
  /** The time of the entry, so that one can be told that has expired. */
  at: text(),
  /** SHA-256 of the entry without its id. */
  row_hash: text(),
  /** SHA-256 of the hash before, the fields above and seq. */
  hash: text(),
  sealed_at: time(),
  /** When retention removed the entry. */
  expired_at: nullable(time()),
})

export const auditUnsealedTable = defineTable('audit_unsealed', {
  workspace_id: primary(uuid()),
  audit_id: primary(bigint()),
})
