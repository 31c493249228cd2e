import type { StoredKind } from '../domain/access/permissions.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Tx } from './database.ts'
import { toStorableJson } from './json-text.ts'

export type AuditAction =
  | 'workspace.create'
  | 'brain.create'
  | 'member.set'
  | 'member.remove'
  | `${StoredKind}.${'create' | 'update' | 'rotate' | 'revoke'}`
  | `${string}.${'create' | 'update' | 'delete' | 'restore' | 'move' | 'purge'}`
  | 'job.start'
  | 'job.cancel'
  | 'job.pause'
  | 'job.resume'
  | 'job.event'
  | `webhook.${'rotate_secret' | 'test' | 'replay' | 'disable'}`

export interface AuditEntry {
  /** As in `Principal.actor`. */
  actor: string
  action: AuditAction
  /** The id of the object of the action. */
  target: string
  details?: JsonObject
}

/** Writes an entry in the transaction of the action. Answers to interventions are written by `saveVotes`. */
export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.query('insert into audit_log (actor, action, target, details) values ($1, $2, $3, $4)', [
    entry.actor,
    entry.action,
    entry.target,
    toStorableJson(entry.details ?? {}),
  ])
}
