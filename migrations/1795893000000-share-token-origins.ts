import type { Migration } from './migration.ts'

export const shareTokenOrigins: Migration = {
  id: 1795893000000,
  name: 'ShareTokenOrigins',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: 'alter table credentials add column allowed_origins text[]',
    down: `
      -- squawk-ignore ban-drop-column
      alter table credentials drop column allowed_origins
    `,
    loses: 'The origins whose pages may use share tokens',
  },
}
