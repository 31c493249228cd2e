import type { Migration } from './migration.ts'

export const memberProfiles: Migration = {
  id: 1795892400000,
  name: 'MemberProfiles',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
      alter table members add column display_name text;
      alter table members add column email text;
      alter table members add column picture_url text;
    `,
    down: `
      -- squawk-ignore ban-drop-column
      alter table members drop column picture_url;
      -- squawk-ignore ban-drop-column
      alter table members drop column email;
      -- squawk-ignore ban-drop-column
      alter table members drop column display_name;
    `,
    loses: 'The display names, email addresses and pictures of members',
  },
}
