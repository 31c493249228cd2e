import type { Migration } from './migration.ts'

export const channelCredentialAuthors: Migration = {
  id: 1795896100000,
  name: 'ChannelCredentialAuthors',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
-- Everyone who has set the credentials.
alter table channels add column set_by text[] not null default '{}';
`,
    down: `-- squawk-ignore ban-drop-column
alter table channels drop column set_by;`,
    loses: "the authors of a channel's credentials, except for the first and the last person",
  },
}
