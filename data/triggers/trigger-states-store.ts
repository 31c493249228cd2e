import { FAILURES, type FiringDecision } from '../../domain/triggers/firing.ts'
import type { TriggerHealth } from '../../domain/triggers/health.ts'
import type { Tx } from '../shared/database.ts'
import { selectAsPublisher, setPublisherRole } from '../webhooks/event-outbox-store.ts'
import { HEAD, type Resource } from '../resources/resources-store.ts'
import { resourceVersionsTable } from '../resources/tables.ts'
import { execute, select, selectOne, update } from '../shared/statements.ts'
import { boolean, computed, list, pick, text, type Row } from '../shared/table.ts'
import { triggerStatesTable } from './tables.ts'

const STATE = pick(
  triggerStatesTable,
  'trigger_id',
  'last_fired_at',
  'last_decision',
  'last_reason',
  'last_decided_at',
  'failed_runs',
  'sync_error',
  'health',
  'health_reason',
)
export type TriggerState = Row<typeof STATE>

export async function findTriggerStates(tx: Tx, ids: string[]): Promise<Map<string, TriggerState>> {
  const states = await select(
    tx,
    STATE,
    `select ${list(STATE)} from trigger_states where trigger_id = any($1::uuid[])`,
    [ids],
  )
  return new Map(states.map(state => [state.trigger_id, state]))
}

/**
 * Returns a live trigger, and serializes its firings until the transaction ends. To avoid deadlocks with saves, the
 * head is locked first, as it is when a trigger is saved.
 */
export async function lockTrigger(tx: Tx, id: string): Promise<Resource | undefined> {
  const [head] = await Promise.all([
    selectOne(
      tx,
      HEAD,
      `select ${list(HEAD)} from resources
        where id = $1 and kind = 'triggers' and deleted_at is null for key share`,
      [id],
    ),
    execute(tx, 'select from trigger_states where trigger_id = $1 for update', [id]),
  ])
  return head
}

/** Records a trigger's decision about an event. */
export async function noteDecision(
  tx: Tx,
  triggerId: string,
  { decision, reason }: { decision: FiringDecision; reason: string | null },
): Promise<void> {
  await execute(
    tx,
    `update trigger_states
        set last_decision = $2, last_reason = $3, last_decided_at = now(),
            last_fired_at = case when $2 = 'fired' then now() else last_fired_at end,
            sync_due_at = case when $2 <> last_decision or last_decision is null or $2 = any($4) then now()
                               else sync_due_at end
      where trigger_id = $1`,
    [triggerId, decision, reason, FAILURES],
  )
}

/** Records that a person tested the trigger. A test does not change the trigger's health. */
export async function noteTestFire(tx: Tx, triggerId: string): Promise<void> {
  await execute(tx, 'update trigger_states set last_fired_at = now() where trigger_id = $1', [triggerId])
}

/** SQL for the person behind a trigger row in `resources`: the person who last saved or took over the trigger. */
export const TRIGGER_PERSON = `coalesce(
  (select case action when 'trigger.hand_over' then details ->> 'to' else person end from audit_log
    where target = resources.id::text and action in ('trigger.create', 'trigger.update', 'trigger.hand_over')
    order by at desc, id desc limit 1),
  (select author from resource_versions where resource_id = resources.id and version = resources.version))`

const AUTHOR = { ...pick(resourceVersionsTable, 'author'), person: computed(text(), TRIGGER_PERSON) }

/** Returns the author of the current trigger version and the person behind the trigger. */
export async function findLastAuthor(tx: Tx, { id }: Pick<Resource, 'id'>): Promise<Row<typeof AUTHOR>> {
  const author = await selectOne(
    tx,
    AUTHOR,
    `select ${list(AUTHOR)}
       from resources join resource_versions on resource_id = resources.id and resource_versions.version = resources.version
      where resources.id = $1::uuid`,
    [id],
  )
  return author ?? { author: 'unknown', person: 'unknown' }
}

const CHANGED = {
  ...pick(triggerStatesTable, 'trigger_id', 'workspace_id', 'has_schedule', 'schedule_hash'),
  /** The lease time. If it differs later, the trigger was changed in the meantime. */
  lease: computed(text(), 'sync_due_at::text'),
}
/** A trigger whose schedule or health may be out of date. */
export type ChangedTrigger = Row<typeof CHANGED>

/** Whether there are changed triggers in any workspace. Requires the publisher role. */
export async function findChangedTriggers(tx: Tx): Promise<boolean> {
  const row = await selectOne(
    tx,
    { any: boolean() },
    'select exists (select from trigger_states where sync_due_at <= now()) as any',
  )
  return row?.any === true
}

/** Leases changed triggers in all workspaces, oldest change first. */
export async function leaseChangedTriggers(
  tx: Tx,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<ChangedTrigger[]> {
  return selectAsPublisher(
    tx,
    CHANGED,
    `update trigger_states set sync_due_at = clock_timestamp() + make_interval(secs => $2)
        where trigger_id = any (array(select trigger_id from trigger_states where sync_due_at <= now()
                                       order by sync_due_at limit $1 for update skip locked))
       returning ${list(CHANGED)}`,
    [limit, leaseSeconds],
  )
}

/**
 * Records that Temporal has the current state of the trigger, or why the sync failed. If the trigger was changed
 * since the lease, it stays due. If another process has synced in the meantime, the trigger is synced again, because
 * it is unknown which write was last.
 */
export async function noteSynced(
  tx: Tx,
  triggerId: string,
  { lease, problem }: { lease: string; problem: string | null },
): Promise<void> {
  await execute(
    tx,
    `update trigger_states
        set sync_error = $3,
            sync_due_at = case when sync_due_at::text is distinct from $2 then coalesce(sync_due_at, now())
                               when $3::text is not null then now() + interval '1 minute' end
      where trigger_id = $1`,
    [triggerId, lease, problem],
  )
}

/**
 * Stores the hash of the schedule in Temporal. Null means that a write may be in progress, and undefined means that
 * there is no schedule.
 */
export async function noteSchedule(tx: Tx, triggerId: string, hash: string | null | undefined): Promise<void> {
  const fields = { has_schedule: hash !== undefined, schedule_hash: hash ?? null }
  await update(tx, triggerStatesTable, fields, 'trigger_id = $1', [triggerId])
}

/** Marks a trigger as due because its schedule in Temporal differs. */
export async function markUnsynced(tx: Tx, triggerId: string): Promise<void> {
  await execute(tx, 'update trigger_states set schedule_hash = null, sync_due_at = now() where trigger_id = $1', [
    triggerId,
  ])
}

/** Marks triggers as due if they were over their limit an hour ago, because their health may have changed since then. */
export async function dueAgain(tx: Tx): Promise<void> {
  await Promise.all([
    setPublisherRole(tx),
    execute(
      tx,
      `update trigger_states set sync_due_at = now()
        where health = 'over_limit' and sync_due_at is null and last_decided_at < now() - interval '1 hour'`,
    ),
  ])
}

const SCHEDULED = pick(triggerStatesTable, 'trigger_id', 'workspace_id')

/** Lists triggers in all workspaces that have or had a schedule, in order of id. */
export async function listScheduledTriggers(
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<Row<typeof SCHEDULED>[]> {
  return selectAsPublisher(
    tx,
    SCHEDULED,
    `select ${list(SCHEDULED)} from trigger_states
        where has_schedule and ($1 = '' or trigger_id > nullif($1, '')::uuid) order by trigger_id limit $2`,
    [after, limit],
  )
}

/** Stores the health of a trigger. If the health changes, a database trigger writes an event. */
export async function saveHealth(
  tx: Tx,
  triggerId: string,
  { health, health_reason }: { health: TriggerHealth; health_reason: string | null },
): Promise<void> {
  await execute(
    tx,
    `update trigger_states set health = $2, health_reason = $3, health_at = now()
      where trigger_id = $1 and (health, health_reason) is distinct from ($2, $3)`,
    [triggerId, health, health_reason],
  )
}
