import type { Migration } from './migration.ts'
import { tenantPolicy, TENANT } from './tenant.ts'

export const pushSubscriptions: Migration = {
  id: 1795896000000,
  name: 'PushSubscriptions',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
create table push_subscriptions (
  workspace_id uuid not null default ${TENANT} references workspaces,
  channel_id uuid not null references channels on delete cascade,
  -- SHA-256 of the endpoint.
  id text not null,
  actor text not null,
  -- The endpoint and the keys as encrypted JSON.
  subscription bytea not null,
  -- The latest message that was sent.
  last_message_id uuid,
  created_at timestamptz not null default now(),
  primary key (channel_id, id)
);
create index push_subscriptions_by_actor on push_subscriptions (workspace_id, actor, channel_id);
${tenantPolicy('push_subscriptions')}
`,
    down: `-- squawk-ignore ban-drop-table
drop table push_subscriptions;`,
    loses: 'the browsers that receive notifications',
  },
}
