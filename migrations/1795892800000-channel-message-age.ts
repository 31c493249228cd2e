import type { Migration } from './migration.ts'

/** Retention reads the messages by age. */
export const channelMessageAge: Migration = {
  id: 1795892800000,
  name: 'ChannelMessageAge',
  oldestVersion: '0.1.0',
  change: {
    kind: 'index',
    index: 'channel_messages_by_age',
    definition: 'on channel_messages (workspace_id, updated_at)',
  },
}
