import type { Migration } from './migration.ts'

/** A received message has one row, also if it is delivered or read twice. */
export const mailSourceIndex: Migration = {
  id: 1795892601000,
  name: 'MailSourceIndex',
  oldestVersion: '0.1.0',
  change: {
    kind: 'index',
    index: 'channel_messages_source',
    isUnique: true,
    definition: 'on channel_messages (channel_id, source_key)',
  },
}
