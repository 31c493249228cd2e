import type { Migration } from './migration.ts'

/** A person has one message about a task in a channel, and any number of replies. */
export const channelMessageTask: Migration = {
  id: 1795897000000,
  name: 'ChannelMessageTask',
  oldestVersion: '0.1.0',
  change: {
    kind: 'index',
    index: 'channel_messages_task',
    isUnique: true,
    definition: 'on channel_messages (channel_id, intervention_id, recipient) where reply is null',
  },
}
