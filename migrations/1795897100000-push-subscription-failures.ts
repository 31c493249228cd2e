import type { Migration } from './migration.ts'

export const pushSubscriptionFailures: Migration = {
  id: 1795897100000,
  name: 'PushSubscriptionFailures',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
-- The first failure since the last success.
alter table push_subscriptions add column failing_since timestamptz;
`,
    down: `-- squawk-ignore ban-drop-column
alter table push_subscriptions drop column failing_since;`,
    loses: 'which browsers could not be reached',
  },
}
