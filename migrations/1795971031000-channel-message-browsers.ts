import type { Migration } from './migration.ts'

export const channelMessageBrowsers: Migration = {
  id: 1795971031000,
  name: 'ChannelMessageBrowsers',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
-- The push subscriptions that have the message.
alter table channel_messages add column browser_ids text[] not null default '{}';
`,
    down: `-- squawk-ignore ban-drop-column
alter table channel_messages drop column browser_ids;`,
    loses: 'which browsers have a message that other browsers still wait for',
  },
}
