import type { Migration } from './migration.ts'

/** A notification that is deleted takes its messages with it. */
export const channelMessageNotification: Migration = {
  id: 1795892802000,
  name: 'ChannelMessageNotification',
  oldestVersion: '0.1.0',
  change: {
    kind: 'index',
    index: 'channel_messages_by_notification',
    definition: 'on channel_messages (notification_id) where notification_id is not null',
  },
}
