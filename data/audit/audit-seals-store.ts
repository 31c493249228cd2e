import type { JsonObject } from '../../domain/shared/json/json.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import type { Tx } from '../shared/database.ts'
import { execute, requireRow, select, selectOne } from '../shared/statements.ts'
import { bigint, boolean, computed, integer, json, list, listTypes, nullable, pick, type Row } from '../shared/table.ts'
import { auditLogTable, auditSealsTable, auditUnsealedTable } from './tables.ts'

/** The hashed form of an audit log entry. `at` is in UTC with microseconds. */
export interface SealableEntry {
  at: string
  actor: string
  person: string | null
  key_id: string | null
  action: string
  target: string
  brain_id: string | null
  request_id: string | null
  before_hash: string | null
  after_hash: string | null
  details: JsonObject
}

const SEAL = pick(auditSealsTable, 'seq', 'audit_id', 'at', 'row_hash', 'hash')
export type Seal = Row<typeof SEAL>

const AT = `to_char(entry.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const ENTRY = `json_build_object('at', ${AT}, 'actor', entry.actor, 'person', entry.person, 'key_id', entry.key_id,
  'action', entry.action, 'target', entry.target, 'brain_id', entry.brain_id, 'request_id', entry.request_id,
  'before_hash', entry.before_hash, 'after_hash', entry.after_hash, 'details', entry.details)`

/** An entry with its id. */
const IDENTIFIED = { ...pick(auditLogTable, 'id'), entry: computed(json<SealableEntry>(), ENTRY) }

/** First key of the advisory lock that a workspace's sealer takes. */
const SEALER_LOCK = 570_211_405

/** Lists the ids of workspaces with unsealed entries. Runs in a transaction that belongs to no workspace. */
export async function listUnsealedWorkspaces(tx: Tx): Promise<string[]> {
  const [, rows] = await Promise.all([
    execute(tx, `select set_config('app.sealing', 'on', true)`),
    select(tx, pick(auditUnsealedTable, 'workspace_id'), 'select distinct workspace_id from audit_unsealed'),
  ])
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Makes this transaction the only sealer of the workspace. Returns false while another sealer is active. */
export async function lockChain(tx: Tx, workspaceId: string): Promise<boolean> {
  const locks = await execute(tx, 'select where pg_try_advisory_xact_lock($1, hashtext($2))', [
    SEALER_LOCK,
    workspaceId,
  ])
  return locks > 0
}

/** Returns the last seal of the workspace. */
export async function findChainHead(tx: Tx): Promise<Pick<Seal, 'seq' | 'hash'> | undefined> {
  const columns = pick(auditSealsTable, 'seq', 'hash')
  return selectOne(tx, columns, 'select seq, hash from audit_seals order by seq desc limit 1')
}

/** Lists up to `limit` unsealed entries in the order in which they were written. */
export async function listUnsealed(tx: Tx, limit: number): Promise<Row<typeof IDENTIFIED>[]> {
  return select(
    tx,
    IDENTIFIED,
    `select ${list(IDENTIFIED, 'entry')} from audit_unsealed waiting join audit_log entry on entry.id = waiting.audit_id
      order by entry.id limit $1`,
    [limit],
  )
}

/** Inserts seals and removes their entries from the queue. */
export async function saveSeals(tx: Tx, seals: Seal[]): Promise<void> {
  await Promise.all([
    execute(
      tx,
      `insert into audit_seals (${list(SEAL)})
       select ${list(SEAL)} from json_to_recordset($1::json) as seal (${listTypes(SEAL)})`,
      [toStorableJson(seals)],
    ),
    execute(tx, 'delete from audit_unsealed where audit_id = any($1::bigint[])', [
      seals.map(({ audit_id }) => audit_id),
    ]),
  ])
}

const SEALED = {
  ...SEAL,
  /** Whether retention has removed the entry. Retention may remove entries only after one year. */
  is_expired: computed(boolean(), `seal.expired_at is not null and seal.at::timestamptz < now() - interval '365 days'`),
  entry: computed(nullable(json<SealableEntry>()), `case when entry.id is not null then ${ENTRY} end`),
}
/** A seal, with its entry if it still exists. */
export type SealedEntry = Row<typeof SEALED>

/** Lists up to `limit` seals after a sequence number, in sequence order. */
export async function listSealed(tx: Tx, after: number, limit: number): Promise<SealedEntry[]> {
  return select(
    tx,
    SEALED,
    `select ${list(SEALED, 'seal')}
       from audit_seals seal left join audit_log entry on entry.id = seal.audit_id
      where seal.seq > $1 order by seal.seq limit $2`,
    [after, limit],
  )
}

/** Finds the first seal whose entry has this content hash. */
export async function findSealOfContent(tx: Tx, rowHash: string): Promise<Seal | undefined> {
  return selectOne(tx, SEAL, `select ${list(SEAL)} from audit_seals where row_hash = $1 order by seq limit 1`, [
    rowHash,
  ])
}

/** Lists up to `limit` entries that are neither sealed nor queued for sealing. */
export async function listStrayEntries(tx: Tx, limit: number): Promise<Row<typeof IDENTIFIED>[]> {
  return select(
    tx,
    IDENTIFIED,
    `select ${list(IDENTIFIED, 'entry')} from audit_log entry
      where not exists (select from audit_seals seal where seal.audit_id = entry.id)
        and not exists (select from audit_unsealed waiting where waiting.audit_id = entry.id)
      order by entry.id limit $1`,
    [limit],
  )
}

const WAITING = {
  waiting: computed(integer(), 'count(entry.id)::integer'),
  gone: computed(nullable(bigint()), 'min(waiting.audit_id) filter (where entry.id is null)'),
}

/** Counts the entries in the seal queue, and returns the first entry that was removed before it was sealed. */
export async function countWaiting(tx: Tx): Promise<Row<typeof WAITING>> {
  const counted = await selectOne(
    tx,
    WAITING,
    `select ${list(WAITING)}
       from audit_unsealed waiting left join audit_log entry on entry.id = waiting.audit_id`,
  )
  return requireRow(counted)
}

const WITH_SEAL = {
  ...IDENTIFIED,
  /** Includes the hash of the previous seal. Null until the entry is sealed. */
  seal: computed(
    nullable(json<Pick<Seal, 'seq' | 'row_hash' | 'hash'> & { previous: string }>()),
    `case when seal.seq is not null then json_build_object('seq', seal.seq, 'previous',
       coalesce(before.hash, entry.workspace_id::text), 'row_hash', seal.row_hash, 'hash', seal.hash) end`,
  ),
}
/** An entry about an object, with its seal. */
export type EntryWithSeal = Row<typeof WITH_SEAL>

/** Lists the entries about an object, oldest first. */
export async function listEntriesOf(tx: Tx, target: string, limit: number): Promise<EntryWithSeal[]> {
  return select(
    tx,
    WITH_SEAL,
    `select ${list(WITH_SEAL, 'entry')}
       from audit_log entry
       left join audit_seals seal on seal.audit_id = entry.id
       left join audit_seals before on before.seq = seal.seq - 1
      where entry.target = $1 order by entry.at, entry.id limit $2`,
    [target, limit],
  )
}
