import type { ChatSettings } from '../../domain/triggers/types/chat.ts'
import type { EventSettings } from '../../domain/triggers/types/event.ts'
import type { Tx } from '../shared/database.ts'
import { selectAsPublisher, setPublisherRole } from '../webhooks/event-outbox-store.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { auditLogTable } from '../audit/tables.ts'
import { jobsTable } from '../runs/tables.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import {
  computed,
  double,
  integer,
  json,
  list,
  listTypes,
  nullable,
  omit,
  pick,
  text,
  uuid,
  type Row,
} from '../shared/table.ts'
import { triggerEventsTable, triggerListenersTable } from './tables.ts'

const LISTENING = {
  id: computed(uuid(), 'trigger_id'),
  ...pick(triggerListenersTable, 'workspace_id', 'brain_id'),
  settings: json<EventSettings>(),
}
/** A trigger that waits for events in its workspace. */
export type ListeningTrigger = Row<typeof LISTENING>

/** Returns the `event` triggers in these workspaces. Requires a publisher transaction. */
export async function findEventTriggers(tx: Tx, workspaceIds: string[]): Promise<ListeningTrigger[]> {
  return select(
    tx,
    LISTENING,
    `select ${list(LISTENING)} from trigger_listeners
      where workspace_id = any($1::uuid[]) and trigger_type = 'event'`,
    [workspaceIds],
  )
}

const CHATTING = { id: computed(uuid(), 'trigger_id'), settings: json<ChatSettings>() }

/**
 * Returns the `chat` triggers that wait for messages in the thread. Requires a workspace transaction. A trigger in a
 * brain receives only messages from that brain.
 */
export async function findChatTriggers(
  tx: Tx,
  place: { trace_id: string; receptor_id: string | null; brain_id: string | null },
): Promise<Row<typeof CHATTING>[]> {
  return select(
    tx,
    CHATTING,
    `select ${list(CHATTING)} from trigger_listeners
      where trigger_type = 'chat' and (brain_id is null or brain_id = $3::uuid)
        and coalesce(settings ->> 'trace_id' = $1, true)
        and (settings ->> 'receptor' is null or exists (
              select from resources receptor
               where receptor.id = $2::uuid and settings ->> 'receptor' in (receptor.id::text, receptor.slug)))`,
    [place.trace_id, place.receptor_id, place.brain_id],
  )
}

const INSERTED = pick(
  triggerEventsTable,
  'workspace_id',
  'trigger_id',
  'dedupe_key',
  'event',
  'at',
  'causes',
  'subjects',
  'merged',
  'debounce_key',
)
/** `delay` is in seconds. */
const GIVEN = { ...INSERTED, delay: integer() }

/** An event for a trigger. */
export interface NewTriggerEvent extends Omit<Row<typeof INSERTED>, 'debounce_key'> {
  /** Events with the same trigger and key are debounced. */
  debounce?: { key: string; seconds: number }
}

/** How many times the delay of debounced events can be extended. */
const MAX_EXTENSIONS = 10
/** Maximum number of causes stored for debounced events. */
const MAX_CAUSES = 50

/**
 * Inserts events for triggers. No two events may have the same trigger and debounce key. Events that are already
 * stored have no effect.
 */
export async function insertTriggerEvents(tx: Tx, events: NewTriggerEvent[]): Promise<void> {
  const debounced = events.filter(({ debounce }) => debounce)
  const others = events.filter(({ debounce }) => !debounce)
  if (others.length > 0) await insertAll(tx, others, 'on conflict (trigger_id, dedupe_key) do nothing')
  if (debounced.length > 0)
    await insertAll(
      tx,
      debounced,
      `on conflict (trigger_id, debounce_key) where debounce_key is not null do update
         set event = excluded.event, at = excluded.at, merged = queued.merged + excluded.merged,
             causes = (queued.causes || excluded.causes)[1:${MAX_CAUSES}],
             subjects = (queued.subjects || excluded.subjects)[1:${MAX_CAUSES}],
             due_at = least(excluded.due_at,
                            queued.created_at + ${MAX_EXTENSIONS} * (excluded.due_at - excluded.created_at))`,
    )
}

const insertAll = (tx: Tx, events: NewTriggerEvent[], onConflict: string) =>
  execute(
    tx,
    `insert into trigger_events as queued (${list(INSERTED)}, due_at)
     select ${list(INSERTED)}, now() + make_interval(secs => delay)
       from json_to_recordset($1::json) as given (${listTypes(GIVEN)})
     ${onConflict}`,
    [
      toStorableJson(
        events.map(({ debounce, ...event }): Row<typeof GIVEN> => ({
          ...event,
          debounce_key: debounce?.key ?? null,
          delay: debounce?.seconds ?? 0,
        })),
      ),
    ],
  )

const DUE = omit(triggerEventsTable, 'debounce_key', 'due_at', 'trace_id')
/** An event for which its trigger is due to fire. */
export type DueTriggerEvent = Row<typeof DUE>

/**
 * Leases due events in all workspaces, a few from each. Leased events are no longer debounced with new ones. When its
 * lease expires, an event is due again. Each attempt gets a longer lease.
 */
export async function leaseTriggerEvents(
  tx: Tx,
  {
    perWorkspace,
    leaseSeconds,
    maxLeaseSeconds,
  }: { perWorkspace: number; leaseSeconds: number; maxLeaseSeconds: number },
): Promise<DueTriggerEvent[]> {
  return selectAsPublisher(
    tx,
    DUE,
    `update trigger_events
          set debounce_key = null, attempts = attempts + 1,
              due_at = now() + make_interval(secs => least($2 * power(2, least(attempts, 20)), $3))
        where id = any (array(
          select due.id
            from (select distinct workspace_id from trigger_events where due_at <= now()) waiting,
                 lateral (select id from trigger_events own
                           where own.workspace_id = waiting.workspace_id and due_at <= now()
                           order by due_at limit $1 for update skip locked) due))
       returning ${list(DUE)}`,
    [perWorkspace, leaseSeconds, maxLeaseSeconds],
  )
}

/** Returns the milliseconds until the next event is due, or undefined if there are no events. */
export async function findNextTriggerEvent(tx: Tx): Promise<number | undefined> {
  const [, row] = await Promise.all([
    setPublisherRole(tx),
    selectOne(
      tx,
      { ms: nullable(double()) },
      'select (extract(epoch from min(due_at) - now()) * 1000)::float as ms from trigger_events',
    ),
  ])
  return row?.ms ?? undefined
}

export async function deleteTriggerEvent(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'delete from trigger_events where id = $1', [id])
}

/** Stores the id of the run that decides about the event, and makes the event due again after `seconds`. */
export async function awaitRouter(tx: Tx, id: string, jobId: string, seconds: number): Promise<void> {
  await execute(
    tx,
    `update trigger_events set router_job_id = $2, attempts = 0, due_at = now() + make_interval(secs => $3) where id = $1`,
    [id, jobId, seconds],
  )
}

const START = {
  root_job_id: computed(text(), 'root.job_id'),
  /** The trigger of the root run. */
  trigger_id: computed(jobsTable.columns.trigger_id, 'root.trigger_id'),
  /**
   * The number of triggers that led to the firing that started the root run. The id of such a run ends with the
   * firing id.
   */
  depth: computed(
    nullable(integer()),
    `case when root.trigger_id is not null then
       (select depth from trigger_firings where id = right(root.job_id, 36)::uuid) end`,
  ),
  /** The run or request that started the root run. */
  cause: computed(
    nullable(text()),
    `(select request_id from audit_log
       where target = root.job_id and action = 'job.start' order by at desc, id desc limit 1)`,
  ),
}
/** Origin of a run. */
export type StartOfRun = Row<typeof START>

/** Returns what started a run. Undefined if no run has this id. */
export async function findStartOfRun(tx: Tx, jobId: string): Promise<StartOfRun | undefined> {
  return selectOne(
    tx,
    START,
    `select ${list(START)}
       from jobs job join jobs root on root.job_id = job.root_job_id
      where job.job_id = $1`,
    [jobId],
  )
}

/** Returns the run or request that last changed a resource. */
export async function findLastChange(tx: Tx, resourceId: string): Promise<string | null> {
  const change = await selectOne(
    tx,
    pick(auditLogTable, 'request_id'),
    `select request_id from audit_log where target = $1 order by at desc, id desc limit 1`,
    [resourceId],
  )
  return change?.request_id ?? null
}
