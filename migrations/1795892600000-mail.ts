import type { Migration } from './migration.ts'
import { deleteRows, tenantPolicy, TENANT } from './tenant.ts'

const PUBLISHING = `(current_setting('app.publishing', true) = 'on')`

export const mail: Migration = {
  id: 1795892600000,
  name: 'Mail',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
-- Identifies a received message, so that it is processed once.
alter table channel_messages add column source_key text;
-- The received message that this message answers.
alter table channel_messages add column received json;
-- The text of an answer that is not the answer of a run.
alter table channel_messages add column reply text;
-- squawk-ignore ban-drop-constraint
alter table channel_messages drop constraint channel_messages_subject;
alter table channel_messages add constraint channel_messages_subject
  check (num_nonnulls(intervention_id, job_id) = 1 or received is not null) not valid;

create table channel_mailboxes (
  -- The channel.
  id uuid primary key references channels on delete cascade,
  workspace_id uuid not null default ${TENANT} references workspaces,
  -- Messages that arrived earlier are not read.
  read_from timestamptz not null default now(),
  -- The identity of the numbering, and the last message that was read. Null before the first one.
  uid_validity bigint,
  last_uid bigint,
  -- When to start the workflow, again if it does not run.
  start_due_at timestamptz default now()
);
create index channel_mailboxes_unstarted on channel_mailboxes (workspace_id, start_due_at) where start_due_at is not null;
${tenantPolicy('channel_mailboxes')}
create policy publishing_select on channel_mailboxes for select using ${PUBLISHING};
create policy publishing_update on channel_mailboxes for update using ${PUBLISHING} with check ${PUBLISHING};
`,
    down: `-- squawk-ignore ban-drop-table
drop table channel_mailboxes;
${deleteRows('channel_messages', 'num_nonnulls(intervention_id, job_id) <> 1')}
-- squawk-ignore ban-drop-constraint
alter table channel_messages drop constraint channel_messages_subject;
alter table channel_messages add constraint channel_messages_subject
  check (num_nonnulls(intervention_id, job_id) = 1) not valid;
-- squawk-ignore ban-drop-column
alter table channel_messages drop column source_key, drop column received, drop column reply;`,
    loses: 'the positions in mailboxes, and the log of received mail',
  },
}
