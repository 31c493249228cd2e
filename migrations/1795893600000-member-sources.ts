import type { Migration } from './migration.ts'

export const memberSources: Migration = {
  id: 1795893600000,
  name: 'MemberSources',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
      alter table members add column group_sources jsonb not null default '{}';
      alter table members add column role_source text not null default 'manual';
    `,
    down: `
      -- squawk-ignore ban-drop-column
      alter table members drop column role_source;
      -- squawk-ignore ban-drop-column
      alter table members drop column group_sources;
    `,
    loses: 'Which groups and roles of members come from the identity provider',
  },
}
