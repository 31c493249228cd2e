import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { computed, list, listTypes, nullable, omit, pick, text, type Row } from '../shared/table.ts'
import { TRIGGER_PERSON } from '../triggers/trigger-states-store.ts'
import { selectAsPublisher } from '../webhooks/event-outbox-store.ts'
import { CONVERSATION, MAX_RECIPIENTS, NOTIFIED_NAMES, RECIPIENTS } from './recipients.ts'
import { notificationEventsTable, notificationsTable } from './tables.ts'

const EVENT = omit(notificationEventsTable, 'id')
/** An event whose recipients are not yet notified. */
export type NotificationEvent = Row<typeof EVENT>

const QUEUED = pick(notificationEventsTable, 'event_id', 'type', 'subject')
/** An event of the transaction's workspace. */
export type QueuedEvent = Row<typeof QUEUED>

/**
 * Queues events for their recipients, and changes of tasks and runs that messages show. Requires a publisher
 * transaction.
 */
export async function insertNotificationEvents(tx: Tx, events: NotificationEvent[]): Promise<number> {
  if (events.length === 0) return 0
  return execute(
    tx,
    `insert into notification_events (${list(EVENT)})
     select * from json_to_recordset($1::json) as event (${listTypes(EVENT)})
      where event.type <> 'changed' or exists (
        select from channel_messages message
         where message.workspace_id = event.workspace_id
           and (message.intervention_id = event.subject or message.job_id = event.subject))`,
    [JSON.stringify(events)],
  )
}

/** Queues an event of the transaction's workspace. People are notified once of an event that is queued several times. */
export async function queueNotificationEvent(tx: Tx, event: QueuedEvent): Promise<void> {
  await insert(tx, notificationEventsTable, event)
}

const WORKSPACE = pick(notificationEventsTable, 'workspace_id')

/** Returns workspaces with queued events. */
export async function listNotifyingWorkspaces(tx: Tx, limit: number): Promise<string[]> {
  const rows = await selectAsPublisher(
    tx,
    WORKSPACE,
    'select distinct workspace_id from notification_events limit $1',
    [limit],
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Takes the oldest queued events of the workspace. They are queued again if the transaction fails. */
export async function takeNotificationEvents(tx: Tx, limit: number): Promise<QueuedEvent[]> {
  return select(
    tx,
    QUEUED,
    `delete from notification_events where id = any(array(
       select id from notification_events order by id limit $1 for update skip locked))
     returning ${list(QUEUED)}`,
    [limit],
  )
}

/** Whom an event concerns, and whether the event names them directly. */
const CONCERNED = `
  select event_id, type, subject as intervention_id, null as job_id, null as trigger_id, person.recipient, person.is_direct
    from event join interventions task on task.id = event.subject and task.status = 'open' and task.opened_at is not null,
         lateral (select ${NOTIFIED_NAMES} as names) notified,
         lateral (
           select actor as recipient, actor = any(notified.names) as is_direct from members
            where (actor = any(notified.names) or groups && notified.names) and actor <> all(task.excluded)
           union all
           select subject, true from notification_rules
            where subject = any(notified.names) and subject like 'group:%' and event.type <> 'intervention.requested'
            limit ${MAX_RECIPIENTS}) person
   where type = any('{intervention.requested,intervention.reminded,intervention.escalated}')
  union all
  select event_id, type, subject, null, null, members.actor, true
    from event join interventions task on task.id = event.subject
         join jobs on jobs.job_id = task.root_job_id join members on members.actor = jobs.people[1]
   where type = 'intervention.answered'
  union all
  select event_id, type, subject, null, null, members.actor, true
    from event join interventions task on task.id = event.subject and task.status = 'open'
         join jobs on jobs.job_id = task.root_job_id join members on members.actor = any(jobs.people)
   where type = 'intervention.unanswerable'
  union all
  select event_id, type, null, subject, null, members.actor, true
    from event join jobs on jobs.job_id = event.subject join members on members.actor = jobs.people[1]
   where type = 'job.failed'
  union all
  select event_id, type, null, null, subject, members.actor, true
    from event join resources on resources.id = case type when 'trigger.health_changed' then subject::uuid end and resources.deleted_at is null
         join members on members.actor = ${TRIGGER_PERSON}`

/**
 * Inserts a notification for each person whom an event concerns, and a message for each rule that sends it to a
 * channel. Returns the number of messages. Messages about new tasks are separate, because they show the task.
 */
export async function insertNotifications(tx: Tx, events: QueuedEvent[]): Promise<number> {
  if (events.length === 0) return 0
  return execute(
    tx,
    `with event as (select * from json_to_recordset($1::json) as event (${listTypes(QUEUED)})),
     concerned as (${CONCERNED}),
     new as (
       insert into notifications (id, recipient, event_id, type, intervention_id, job_id, trigger_id, is_direct)
       select gen_random_uuid(), recipient, event_id, type, intervention_id, job_id, trigger_id::uuid, is_direct
         from concerned
        where type <> 'intervention.requested' or not exists (
          select from notifications earlier
           where earlier.intervention_id = concerned.intervention_id and earlier.recipient = concerned.recipient)
       on conflict do nothing
       returning id, recipient, type, is_direct),
     message as (
       insert into channel_messages (id, channel_id, notification_id, recipient, conversation)
       select gen_random_uuid(), rule.channel_id, new.id, new.recipient, ${CONVERSATION}
         from new join notification_rules rule on rule.subject = new.recipient ${RECIPIENTS}
        where new.type <> 'intervention.requested' and (rule.events is null or new.type = any(rule.events))
          and (new.is_direct or rule.includes_groups) and ${CONVERSATION} is not null
       returning 1)
     select from message`,
    [JSON.stringify(events)],
  )
}

const SUBJECT = {
  ...pick(notificationsTable, 'type', 'intervention_id', 'job_id', 'trigger_id', 'created_at', 'read_at', 'id'),
  /** The title of the task, run or trigger. Null if it no longer exists. */
  title: computed(
    nullable(text()),
    `coalesce((select title from interventions where id = intervention_id),
              (select title from jobs where jobs.job_id = notifications.job_id),
              (select title from resources where id = trigger_id))`,
  ),
  /** Why the run failed, or the trigger is not healthy. */
  reason: computed(
    nullable(text()),
    `coalesce((select failed_reason from jobs where jobs.job_id = notifications.job_id),
              (select health_reason from trigger_states where trigger_states.trigger_id = notifications.trigger_id))`,
  ),
}
/** A notification with its subject. */
export type Notification = Row<typeof SUBJECT>

export async function findNotification(tx: Tx, id: string): Promise<Notification | undefined> {
  return selectOne(tx, SUBJECT, `select ${list(SUBJECT)} from notifications where id = $1`, [id])
}

/** Returns a page of a person's notifications, latest first. */
export async function listNotifications(
  tx: Tx,
  filter: { recipient: string; isUnread: boolean; limit: number; offset: number },
): Promise<Page<Notification>> {
  const conditions = createFilter()
  conditions.where('recipient = ?', filter.recipient)
  if (filter.isUnread) conditions.add('read_at is null')
  const { limit, offset } = filter
  const query = { columns: SUBJECT, from: 'notifications', order: 'created_at desc, id desc', limit, offset }
  return readPage(tx, query, conditions)
}

/** Marks a person's notifications as read: those with the given ids, or all. */
export async function markRead(tx: Tx, recipient: string, ids?: string[]): Promise<void> {
  await execute(
    tx,
    `update notifications set read_at = now()
      where recipient = $1 and read_at is null and ($2::uuid[] is null or id = any($2))`,
    [recipient, ids ?? null],
  )
}
