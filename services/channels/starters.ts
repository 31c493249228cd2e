import type { Logger } from 'pino'
import { leaseUnstartedMessages, type UnstartedMessage } from '../../data/channels/channel-messages-store.ts'
import { leaseUnstartedMailboxes, type UnstartedMailbox } from '../../data/channels/mailboxes-store.ts'
import type { Database } from '../../data/shared/database.ts'
import {
  buildMailboxWorkflowId,
  buildMessageWorkflowId,
  CHANNEL_MESSAGE_WORKFLOW,
  MAILBOX_WORKFLOW,
} from '../../workflows/channels/messages.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createWorkflowStarter, type WorkflowStarter } from '../shared/workflow-starter.ts'

/** Starts the workflows of messages. */
export type MessageStarter = WorkflowStarter<UnstartedMessage>

interface Deps {
  db: Database
  temporal: Temporal
  log: Logger
}

/** The loop starts the workflows of messages that are due. */
export const createMessageStarter = ({ db, ...deps }: Deps): MessageStarter =>
  createWorkflowStarter({
    ...deps,
    name: 'starting channel messages',
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

/** The loop starts the workflows of mailboxes, also after one was lost. */
export const createMailboxStarter = ({ db, ...deps }: Deps): WorkflowStarter<UnstartedMailbox> =>
  createWorkflowStarter({
    ...deps,
    name: 'starting mailboxes',
    lease: limits => db.system(tx => leaseUnstartedMailboxes(tx, limits)),
    describe({ id, workspace_id }) {
      const workflowId = buildMailboxWorkflowId(id)
      return {
        type: MAILBOX_WORKFLOW,
        workflowId,
        staticSummary: 'Mailbox of a channel',
        args: [{ job: { job_id: workflowId, workspace_id }, channel_id: id }],
      }
    },
  })
