import type { Logger } from 'pino'
import { leaseUnstartedMailboxes, type UnstartedMailbox } from '../../data/channels/mailboxes-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { buildMailboxWorkflowId, MAILBOX_WORKFLOW } from '../../workflows/channels/messages.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createWorkflowStarter, type WorkflowStarter } from '../shared/workflow-starter.ts'

/** The loop starts the workflows of mailboxes, also after one was lost. */
export const createMailboxStarter = ({
  db,
  temporal,
  log,
}: {
  db: Database
  temporal: Temporal
  log: Logger
}): WorkflowStarter<UnstartedMailbox> =>
  createWorkflowStarter({
    name: 'starting mailboxes',
    temporal,
    log,
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
