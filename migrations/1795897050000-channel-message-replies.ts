import type { Migration } from './migration.ts'
import { deleteRows } from './tenant.ts'

/** A reply to a rejected answer names the task. */
export const channelMessageReplies: Migration = {
  id: 1795897050000,
  name: 'ChannelMessageReplies',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
-- squawk-ignore ban-drop-constraint
alter table channel_messages drop constraint channel_messages_recipient;
`,
    down: `${deleteRows('channel_messages', 'intervention_id is not null and reply is not null')}
alter table channel_messages add constraint channel_messages_recipient unique (channel_id, intervention_id, recipient);`,
    loses: 'the log of replies to rejected answers',
  },
}
