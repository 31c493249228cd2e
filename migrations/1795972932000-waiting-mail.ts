import type { Migration } from './migration.ts'

export const waitingMail: Migration = {
  id: 1795972932000,
  name: 'WaitingMail',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
-- The messages that wait until the plan allows another run, oldest first.
alter table channel_mailboxes add column waiting_uids json not null default '[]';
`,
    down: `-- squawk-ignore ban-drop-column
alter table channel_mailboxes drop column waiting_uids;`,
    loses: 'which received mail waits for a run',
  },
}
