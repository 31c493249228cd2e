import type { JsonObject } from '../domain/json.ts'
import type { Tx } from './database.ts'
import { toStorableJson } from './json-text.ts'

export type AuditAction =
  | 'workspace.create'
  | 'brain.create'
  | 'member.set'
  | 'api_key.create'
  | 'api_key.revoke'
  | `${string}.${'create' | 'update' | 'delete' | 'restore' | 'move'}`
  | 'job.start'
  | 'job.cancel'
  | 'job.pause'
  | 'job.resume'
  | 'job.event'
  | 'trace.delete'

export interface AuditEntry {
  /** Who did it, as in `Principal.actor`. */
  actor: string
  action: AuditAction
  /** The id of what it was done to. */
  target: string
  details?: JsonObject
}

/** Notes what somebody did, in the transaction that does it. Answers to askings are noted by their own store. */
export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.query('insert into audit_log (actor, action, target, details) values ($1, $2, $3, $4)', [
    entry.actor,
    entry.action,
    entry.target,
    toStorableJson(entry.details ?? {}),
  ])
}
