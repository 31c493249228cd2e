import type { Migration } from './migration.ts'

/** The messages to a person are deleted when the person leaves. */
export const channelMessageRecipient: Migration = {
  id: 1795896200000,
  name: 'ChannelMessageRecipient',
  oldestVersion: '0.1.0',
  change: {
    kind: 'index',
    index: 'channel_messages_by_recipient',
    definition: 'on channel_messages (workspace_id, recipient)',
  },
}
