import { FAILURES, type FiringDecision } from '../../domain/triggers/firing.ts'
import type { Tx } from '../shared/database.ts'
import { selectAsPublisher } from '../webhooks/event-outbox-store.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, requireRow, select, selectOne, update } from '../shared/statements.ts'
import { computed, double, integer, list, listTypes, omit, pick, type Row } from '../shared/table.ts'
import { triggerFiringsTable } from './tables.ts'

const STORED = omit(triggerFiringsTable, 'workspace_id', 'brain_id', 'start_due_at', 'trace_id')
/** A firing with fields that the API does not return. */
export type StoredFiring = Row<typeof STORED>

const FIRING = omit(
  triggerFiringsTable,
  'workspace_id',
  'brain_id',
  'start_due_at',
  'trace_id',
  'workflow_id',
  'people',
)
/** A trigger event and its outcome. */
export type Firing = Row<typeof FIRING>

const NEW = omit(triggerFiringsTable, 'workspace_id', 'created_at', 'start_due_at', 'replay_of', 'trace_id')
export type NewFiring = Row<typeof NEW>

/** The time that the process of a firing has to start the run. After that, another process starts it. */
const START_SECONDS = 15

/** Inserts a firing. Returns undefined when another firing has the same key. */
export async function insertFiring(tx: Tx, firing: NewFiring): Promise<StoredFiring | undefined> {
  return selectOne(
    tx,
    STORED,
    `insert into trigger_firings (${list(NEW)}, start_due_at)
     select ${list(NEW)}, case when decision = 'fired' then now() + make_interval(secs => ${START_SECONDS}) end
       from json_to_recordset($1::json) as given (${listTypes(NEW)})
     on conflict (trigger_id, dedupe_key) where decision <> 'duplicate' do nothing
     returning ${list(STORED)}`,
    [toStorableJson([firing])],
  )
}

/** Returns the trigger's firing with this key. */
export async function findFiringByKey(tx: Tx, triggerId: string, dedupeKey: string): Promise<StoredFiring | undefined> {
  return selectOne(
    tx,
    STORED,
    `select ${list(STORED)} from trigger_firings where trigger_id = $1 and dedupe_key = $2 and decision <> 'duplicate'`,
    [triggerId, dedupeKey],
  )
}

export async function findFiring(tx: Tx, triggerId: string, id: string): Promise<StoredFiring | undefined> {
  return selectOne(tx, STORED, `select ${list(STORED)} from trigger_firings where trigger_id = $1 and id = $2`, [
    triggerId,
    id,
  ])
}

/** Returns a page of a trigger's firings, latest first. */
export async function listFirings(
  tx: Tx,
  filter: { trigger_id: string; decision?: FiringDecision; limit: number; offset: number },
): Promise<Page<Firing>> {
  const conditions = createFilter()
  conditions.where('trigger_id = ?', filter.trigger_id)
  conditions.where('decision = ?', filter.decision)
  const { limit, offset } = filter
  const query = { columns: FIRING, from: 'trigger_firings', order: 'created_at desc, id desc', limit, offset }
  return readPage(tx, query, conditions)
}

const COUNTS = {
  ...pick(triggerFiringsTable, 'trigger_id', 'decision'),
  count: computed(integer(), 'count(*)::integer'),
}

/** Counts the decisions of each trigger in the last 24 hours. */
export async function countRecentFirings(
  tx: Tx,
  triggerIds: string[],
): Promise<Map<string, Partial<Record<FiringDecision, number>>>> {
  const rows = await select(
    tx,
    COUNTS,
    `select ${list(COUNTS)} from trigger_firings
      where trigger_id = any($1::uuid[]) and created_at > now() - interval '1 day' group by trigger_id, decision`,
    [triggerIds],
  )
  const counts = new Map<string, Partial<Record<FiringDecision, number>>>()
  for (const { trigger_id, decision, count } of rows)
    counts.set(trigger_id, { ...counts.get(trigger_id), [decision]: count })
  return counts
}

const RATE = {
  ...pick(triggerFiringsTable, 'trigger_id'),
  events: computed(integer(), 'count(*)::integer'),
  failures: computed(integer(), 'count(*) filter (where decision = any($2))::integer'),
}
/**
 * The number of events that a trigger decided about in the 24 hours before its latest decision, and how many of them
 * failed.
 */
type FailureRate = Row<typeof RATE>

/** Counts automatic firings by trigger. Excludes duplicates and filtered events. */
export async function readFailureRates(tx: Tx, triggerIds: string[]): Promise<Map<string, FailureRate>> {
  if (triggerIds.length === 0) return new Map()
  const rows = await select(
    tx,
    RATE,
    `select ${list(RATE)}
       from trigger_firings join trigger_states using (trigger_id)
      where trigger_id = any($1::uuid[]) and created_at > last_decided_at - interval '1 day'
        and source <> 'manual' and decision not in ('duplicate', 'filtered', 'paused')
      group by trigger_id`,
    [triggerIds, FAILURES],
  )
  return new Map(rows.map(rate => [rate.trigger_id, rate]))
}

const USE = {
  runs_last_hour: computed(
    integer(),
    `(select count(*) from trigger_firings
       where trigger_id = $1 and decision = 'fired' and created_at > now() - interval '1 hour')::integer`,
  ),
  open_runs: computed(integer(), `count(*) filter (where status not in ('completed', 'failed'))::integer`),
  usd_this_month: computed(
    double(),
    `coalesce(sum((usage->>'usd')::numeric)
       filter (where created_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc'), 0)::float`,
  ),
}
/** How much of its limits a trigger has used. */
export type TriggerUse = Row<typeof USE>

export async function readTriggerUse(tx: Tx, triggerId: string): Promise<TriggerUse> {
  return requireRow(await selectOne(tx, USE, `select ${list(USE)} from jobs where trigger_id = $1`, [triggerId]))
}

/** Records that the run for a firing has started. */
export async function noteStarted(tx: Tx, id: string): Promise<void> {
  await update(tx, triggerFiringsTable, { start_due_at: null }, 'id = $1', [id])
}

/** Records that the run for a firing cannot start. */
export async function refuseFiring(
  tx: Tx,
  id: string,
  { decision, reason }: Pick<Firing, 'decision' | 'reason'>,
): Promise<void> {
  await update(tx, triggerFiringsTable, { start_due_at: null, decision, reason }, 'id = $1', [id])
}

const UNSTARTED = pick(triggerFiringsTable, 'id', 'trigger_id', 'workspace_id')
/** A firing whose run may not have started. */
export type UnstartedFiring = Row<typeof UNSTARTED>

/** Leases firings in all workspaces whose run has not started in time, oldest first. */
export async function leaseUnstartedFirings(
  tx: Tx,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<UnstartedFiring[]> {
  return selectAsPublisher(
    tx,
    UNSTARTED,
    `update trigger_firings set start_due_at = now() + make_interval(secs => $2)
        where id = any (array(select id from trigger_firings where start_due_at <= now()
                               order by start_due_at limit $1 for update skip locked))
       returning ${list(UNSTARTED)}`,
    [limit, leaseSeconds],
  )
}

/** Deletes up to `limit` firings of these triggers. Returns the number of deleted firings. */
export async function deleteFiringsOf(tx: Tx, triggerIds: string[], limit: number): Promise<number> {
  return execute(
    tx,
    `delete from trigger_firings where id = any(array(
       select id from trigger_firings where trigger_id = any($1::uuid[]) limit $2))`,
    [triggerIds, limit],
  )
}
