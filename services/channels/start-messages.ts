import type { Logger } from 'pino'
import { leaseUnstartedMessages, type UnstartedMessage } from '../../data/channels/channel-messages-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { buildMessageWorkflowId, CHANNEL_MESSAGE_WORKFLOW } from '../../workflows/channels/messages.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createWorkflowStarter, type WorkflowStarter } from '../shared/workflow-starter.ts'

/** Starts the workflows of messages. */
export type MessageStarter = WorkflowStarter<UnstartedMessage>

/** The loop starts the workflows of messages that are due. */
export const createMessageStarter = ({
  db,
  temporal,
  log,
}: {
  db: Database
  temporal: Temporal
  log: Logger
}): MessageStarter =>
  createWorkflowStarter({
    name: 'starting channel messages',
    temporal,
    log,
    lease: limits => db.system(tx => leaseUnstartedMessages(tx, limits)),
    describe({ id, workspace_id }) {
      const workflowId = buildMessageWorkflowId(id)
      return {
        type: CHANNEL_MESSAGE_WORKFLOW,
        workflowId,
        staticSummary: 'Message in a channel',
        args: [{ job: { job_id: workflowId, workspace_id }, message_id: id }],
      }
    },
  })
