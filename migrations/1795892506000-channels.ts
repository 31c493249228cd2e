import type { Migration } from './migration.ts'
import { tenantPolicy, TENANT } from './tenant.ts'

const TABLES = ['channels', 'channel_accounts', 'channel_link_codes', 'notification_rules', 'channel_messages']
/** Tables that the publisher reads to find the recipients of an event. */
const READ_BY_PUBLISHER = ['channels', 'channel_accounts', 'notification_rules', 'interventions', 'members']

const PUBLISHING = `(current_setting('app.publishing', true) = 'on')`

export const channels: Migration = {
  id: 1795892506000,
  name: 'Channels',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
create table channels (
  id uuid primary key,
  workspace_id uuid not null default ${TENANT} references workspaces,
  name text not null,
  type text not null,
  settings json not null,
  -- The credentials as encrypted JSON.
  credentials bytea not null,
  -- The first failure since the last success.
  failing_since timestamptz,
  failure text,
  last_event_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_by text not null,
  updated_at timestamptz not null default now(),
  constraint channels_name unique (workspace_id, name)
);

create table channel_accounts (
  workspace_id uuid not null default ${TENANT} references workspaces,
  channel_id uuid not null references channels on delete cascade,
  -- The user id at the provider.
  external_id text not null,
  actor text not null,
  linked_at timestamptz not null default now(),
  primary key (channel_id, external_id),
  constraint channel_accounts_actor unique (channel_id, actor)
);

create table channel_link_codes (
  workspace_id uuid not null default ${TENANT} references workspaces,
  channel_id uuid not null references channels on delete cascade,
  actor text not null,
  -- SHA-256 of the code.
  code_hash bytea not null,
  expires_at timestamptz not null,
  primary key (channel_id, actor)
);
create index channel_link_codes_hash on channel_link_codes (channel_id, code_hash);

create table notification_rules (
  workspace_id uuid not null default ${TENANT} references workspaces,
  -- A member or a group.
  subject text not null,
  channel_id uuid not null references channels on delete cascade,
  -- The conversation for a group; null for the linked account of a member.
  conversation text,
  -- Whether a member also gets the tasks of their groups.
  includes_groups boolean not null default true,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, subject, channel_id)
);

create table channel_messages (
  id uuid primary key,
  workspace_id uuid not null default ${TENANT} references workspaces,
  channel_id uuid not null references channels on delete cascade,
  -- The subject of the message: a task, or the run whose answer it shows.
  intervention_id text,
  job_id text,
  -- The member or group of the notification rule, or the person who wrote.
  recipient text not null,
  conversation text not null,
  -- The message that this message answers.
  thread text,
  -- The id that the service gave the message; null until it is sent.
  external_id text,
  -- SHA-256 of the content that the provider shows.
  content_hash text,
  status text not null default 'pending' check (status in ('pending', 'sent', 'skipped', 'failed')),
  attempts integer not null default 0,
  failure text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When to start the workflow, again if it has not begun by then; null once it has.
  start_due_at timestamptz default now(),
  constraint channel_messages_subject check (num_nonnulls(intervention_id, job_id) = 1),
  constraint channel_messages_recipient unique (channel_id, intervention_id, recipient),
  constraint channel_messages_answer unique (channel_id, job_id)
);
create index channel_messages_by_job on channel_messages (workspace_id, job_id) where job_id is not null;
create index channel_messages_by_intervention on channel_messages (workspace_id, intervention_id);
create index channel_messages_by_time on channel_messages (channel_id, created_at desc, id desc);
create index channel_messages_unstarted on channel_messages (workspace_id, start_due_at) where start_due_at is not null;

-- A vote that does not decide leaves the task open, so that no other event announces it.
create function announce_vote() returns trigger language plpgsql as $$
begin
  insert into event_outbox (workspace_id, brain_id, type, subject)
    select new.workspace_id, job.brain_id, 'intervention.voted',
           json_build_object('intervention', json_build_object('id', task.id, 'job_id', task.job_id,
             'root_job_id', task.root_job_id, 'kind', task.kind, 'status', task.status, 'brain_id', job.brain_id))
      from interventions task join jobs job on job.job_id = task.job_id
     where task.id = new.intervention_id;
  return null;
end $$;
create trigger intervention_votes_announced after insert on intervention_votes
  for each row when (new.statement ->> 'decides' = 'false') execute function announce_vote();
${TABLES.map(tenantPolicy).join('')}
${READ_BY_PUBLISHER.map(table => `create policy publishing_select on ${table} for select using ${PUBLISHING};`).join('\n')}
create policy publishing_select on channel_messages for select using ${PUBLISHING};
create policy publishing_insert on channel_messages for insert with check ${PUBLISHING};
create policy publishing_update on channel_messages for update using ${PUBLISHING} with check ${PUBLISHING};
`,
    down: `drop trigger intervention_votes_announced on intervention_votes;
drop function announce_vote;
${TABLES.toReversed()
  .map(table => `drop table ${table};`)
  .join('\n')}
drop policy publishing_select on interventions;
drop policy publishing_select on members;`,
    loses: 'channels, linked accounts, notification rules and the log of sent messages',
  },
}
