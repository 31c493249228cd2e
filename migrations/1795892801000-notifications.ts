import type { Migration } from './migration.ts'
import { deleteRows, tenantPolicy, TENANT } from './tenant.ts'

/** Tables that only the worker reads now, in the workspace of an event. */
const FORMERLY_READ_BY_PUBLISHER = ['channels', 'channel_accounts', 'interventions', 'members']

const PUBLISHING = `(current_setting('app.publishing', true) = 'on')`

export const notifications: Migration = {
  id: 1795892801000,
  name: 'Notifications',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
-- Events whose recipients are not yet notified.
create table notification_events (
  id bigint generated always as identity primary key,
  workspace_id uuid not null default ${TENANT} references workspaces,
  event_id uuid not null,
  type text not null,
  -- The task, run or trigger of the event.
  subject text not null
);
create index notification_events_by_workspace on notification_events (workspace_id, id);

create table notifications (
  id uuid primary key,
  workspace_id uuid not null default ${TENANT} references workspaces,
  -- A member, or a group whose conversation shows the notification.
  recipient text not null,
  event_id uuid not null,
  type text not null,
  intervention_id text,
  job_id text,
  trigger_id uuid,
  -- Whether the recipient is named directly, and not only through a group.
  is_direct boolean not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  constraint notifications_subject check (num_nonnulls(intervention_id, job_id, trigger_id) = 1),
  constraint notifications_event unique (workspace_id, recipient, event_id)
);
create index notifications_by_recipient on notifications (workspace_id, recipient, created_at desc, id desc);
create index notifications_unread on notifications (workspace_id, recipient) where read_at is null;
create index notifications_by_age on notifications (workspace_id, created_at);
create index notifications_by_intervention on notifications (workspace_id, intervention_id)
  where intervention_id is not null;
create index notifications_by_job on notifications (workspace_id, job_id) where job_id is not null;

-- Null stands for all events.
alter table notification_rules add column events text[];
-- The working calendar outside of which messages wait.
alter table notification_rules add column calendar text;
-- Events that do not wait.
alter table notification_rules add column urgent text[] not null default '{}';
-- When the next digest is due; null without digests.
alter table notification_rules add column digest_due_at timestamptz;

-- Further subjects of a message: a notification, or the digest of a day.
alter table channel_messages add column notification_id uuid;
alter table channel_messages add column digest_at timestamptz;
alter table channel_messages add constraint channel_messages_notification_id
  foreign key (notification_id) references notifications on delete cascade not valid;
-- squawk-ignore ban-drop-constraint
alter table channel_messages drop constraint channel_messages_subject;
alter table channel_messages add constraint channel_messages_one_subject
  check (num_nonnulls(intervention_id, job_id, notification_id, digest_at) = 1 or received is not null) not valid;
${['notification_events', 'notifications'].map(tenantPolicy).join('')}
create policy publishing_insert on notification_events for insert with check ${PUBLISHING};
create policy publishing_select on notification_events for select using ${PUBLISHING};
${FORMERLY_READ_BY_PUBLISHER.map(table => `drop policy publishing_select on ${table};`).join('\n')}
drop policy publishing_insert on channel_messages;
`,
    down: `
${FORMERLY_READ_BY_PUBLISHER.map(table => `create policy publishing_select on ${table} for select using ${PUBLISHING};`).join('\n')}
create policy publishing_insert on channel_messages for insert with check ${PUBLISHING};
${deleteRows('channel_messages', 'num_nonnulls(intervention_id, job_id) <> 1 and received is null')}
alter table channel_messages drop constraint channel_messages_one_subject;
alter table channel_messages add constraint channel_messages_subject
  check (num_nonnulls(intervention_id, job_id) = 1 or received is not null) not valid;
-- squawk-ignore ban-drop-column
alter table channel_messages drop column notification_id, drop column digest_at;
-- squawk-ignore ban-drop-column
alter table notification_rules drop column events, drop column calendar, drop column urgent, drop column digest_due_at;
-- squawk-ignore ban-drop-table
drop table notifications, notification_events;
`,
    loses: 'notifications, and the events, hours and digests of notification rules',
  },
}
