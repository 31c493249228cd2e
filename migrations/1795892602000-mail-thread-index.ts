import type { Migration } from './migration.ts'

/** An answer names the messages of its thread. */
export const mailThreadIndex: Migration = {
  id: 1795892602000,
  name: 'MailThreadIndex',
  oldestVersion: '0.1.0',
  change: {
    kind: 'index',
    index: 'channel_messages_by_external_id',
    definition: 'on channel_messages (channel_id, external_id)',
  },
}
