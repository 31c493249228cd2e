import type { Migration } from './migration.ts'

/** Messages are found by their own ids. */
export const unusedMessageIndex: Migration = {
  id: 1795897200000,
  name: 'UnusedMessageIndex',
  oldestVersion: '0.1.0',
  change: {
    kind: 'index',
    index: 'channel_messages_by_external_id',
    definition: 'on channel_messages (channel_id, external_id)',
    isDropped: true,
  },
}
