import type { StoredKind } from '../../domain/access/permissions.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { hashCanonical } from '../shared/canonical-hash.ts'
import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { insert } from '../shared/statements.ts'
import { omit, type Row } from '../shared/table.ts'
import { auditLogTable } from './tables.ts'

/** The action name, which consists of the target type and a verb. */
export type AuditAction =
  | 'workspace.create'
  | 'workspace.set_plan'
  | 'workspace.set_evidence'
  | 'member.set'
  | 'member.remove'
  | 'member.deactivate'
  | 'member.reactivate'
  | `group.${'set' | 'remove'}`
  | `${StoredKind}.${'create' | 'update' | 'rotate' | 'revoke'}`
  | `${string}.${'create' | 'update' | 'delete' | 'restore' | 'move' | 'purge' | 'expire'}`
  | 'intervention.comment'
  | 'calendar.set'
  | 'calendar.remove'
  | 'absence.set'
  | 'absence.remove'
  | 'job.start'
  | 'job.fork'
  | 'job.cancel'
  | 'job.pause'
  | 'job.resume'
  | 'job.event'
  | 'job.migrate'
  | 'job.undo_migration'
  | `${'job' | 'webhook' | 'channel'}.reconcile`
  | 'trigger.rotate_secret'
  | 'trigger.switch_off'
  | 'trigger.hand_over'
  | `webhook.${'rotate_secret' | 'test' | 'replay' | 'disable'}`
  | 'trigger.backfill'
  | 'meeting.audio'
  | 'meeting.end'

/** The author of a change: the fields of a principal that the audit log stores. */
export type AuditAuthor = Pick<Principal, 'actor' | 'person' | 'key_id'>

/** The author of changes from the command line. */
export const OPERATOR: AuditAuthor = { actor: 'operator', person: 'operator', key_id: 'cli' }

/** The author of removals by retention. */
export const RETENTION: AuditAuthor = { actor: 'retention', person: 'retention', key_id: 'retention' }

/** The author of changes by webhook deliveries. */
export const DELIVERY: AuditAuthor = { actor: 'delivery', person: 'delivery', key_id: 'delivery' }

/** The states before and after a change. A creation has no `before`, a removal no `after`. */
export type StateChange<State> = { before: State; after?: State } | { before?: never; after: State }

/** Returns the state after a change or, for a removed object, the state before the removal. */
export const findLatest = <State>({ before, after }: StateChange<State>): State => (after ?? before) as State

export interface AuditEntry {
  action: AuditAction
  /** The id of the object that the action changes. */
  target: string
  /** The target's brain. Null or absent for objects that belong to the whole workspace. */
  brain_id?: string | null
  /** The state of the target before the change, absent for a creation. Only its hash is stored. */
  before?: object
  /** The state of the target after the change. Absent for removals, and for commands that a run carries out later. */
  after?: object
  /** Must not contain secrets or content. */
  details?: JsonObject
}

/**
 * Writes an audit entry in the same transaction as the change. `inRequest` sets the request id of the transaction.
 * Answers to interventions are the exception: `insertVotes` writes their entries.
 */
export async function writeAudit(tx: Tx, author: AuditAuthor, entry: AuditEntry): Promise<void> {
  const { action, target, brain_id = null, before, after, details = {} } = entry
  await insert(tx, auditLogTable, {
    actor: author.actor,
    person: author.person,
    key_id: author.key_id,
    action,
    target,
    brain_id,
    before_hash: before ? hashCanonical(before) : null,
    after_hash: after ? hashCanonical(after) : null,
    details,
  })
}

const RECORD = omit(auditLogTable, 'workspace_id')
/** An entry of the audit log. */
export type AuditRecord = Row<typeof RECORD>

export interface AuditFilter {
  actor?: string
  action?: string
  target_type?: string
  target?: string
  /** ISO 8601, inclusive. */
  from?: string
  /** ISO 8601, exclusive. */
  to?: string
  /** The visible brains. Entries without a brain are always visible. Null or undefined means all. */
  brain_ids?: string[] | null
  /** Restricts entries without a brain to entries by this actor. */
  own?: string
  limit: number
  offset: number
}

/** Returns a page of entries, newest first. */
export async function listAudit(tx: Tx, filter: AuditFilter): Promise<Page<AuditRecord>> {
  const conditions = createFilter()
  conditions.where('actor = ?', filter.actor)
  conditions.where('action = ?', filter.action)
  conditions.where('target_type = ?', filter.target_type)
  conditions.where('target = ?', filter.target)
  conditions.where('at >= ?', filter.from)
  conditions.where('at < ?', filter.to)
  conditions.where('(brain_id is null or brain_id = any(?))', filter.brain_ids ?? undefined)
  conditions.where('(brain_id is not null or actor = ?)', filter.own)
  const { limit, offset } = filter
  const query = { columns: RECORD, from: 'audit_log', order: 'at desc, id desc', limit, offset }
  return readPage(tx, query, conditions)
}
