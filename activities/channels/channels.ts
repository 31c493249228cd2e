import type { Logger } from 'pino'
import type { ReadMailbox } from '../../services/channels/email/read-mailbox.ts'
import type { ShowMessage } from '../../services/channels/show-message.ts'
import type { ChannelActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

export interface ChannelDeps {
  showMessage: ShowMessage
  readMailbox: ReadMailbox
  log: Logger
}

/** Creates the activities of channels. They fail only if a component is unavailable. */
export const createChannelActivities = ({ showMessage, readMailbox, log }: ChannelDeps): ChannelActivities => ({
  showMessage: withHeartbeat({ log, subject: 'channel message' }, ({ job, message_id }, { signal }) =>
    showMessage(job.workspace_id, message_id, signal),
  ),
  readMailbox: withHeartbeat({ log, subject: 'mailbox' }, ({ job, channel_id, is_last }, { signal }) =>
    readMailbox({ workspace_id: job.workspace_id, channel_id }, is_last, signal),
  ),
})
