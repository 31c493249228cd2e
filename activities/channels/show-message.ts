import type { Logger } from 'pino'
import type { ShowMessage } from '../../services/channels/show-message.ts'
import type { ChannelActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

export interface ChannelDeps {
  showMessage: ShowMessage
  log: Logger
}

/** Creates the `showMessage` activity. It fails only if a component is unavailable. */
export const createShowMessageActivity = ({ showMessage, log }: ChannelDeps): ChannelActivities['showMessage'] =>
  withHeartbeat({ log, subject: 'channel message' }, ({ job, message_id }, { signal }) =>
    showMessage(job.workspace_id, message_id, signal),
  )
