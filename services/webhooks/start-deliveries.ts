import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import {
  deleteFinishedDeliveries,
  leaseUnstarted,
  type UnstartedDelivery,
} from '../../data/webhooks/webhook-deliveries-store.ts'
import { buildDeliveryWorkflowId, WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhooks/delivery-messages.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createWorkflowStarter, type WorkflowStarter } from '../shared/workflow-starter.ts'

/** Starts delivery workflows. */
export type DeliveryStarter = WorkflowStarter<UnstartedDelivery>

interface Deps {
  db: Database
  temporal: Temporal
  logDays: number
  log: Logger
}

const CLEAN_MS = 60_000
const MAX_DELETED = 1_000

/** The loop starts due deliveries and deletes old deliveries. */
export function createDeliveryStarter({ db, temporal, logDays, log }: Deps): DeliveryStarter {
  let cleanedAt = 0
  async function clean(): Promise<void> {
    if (Date.now() - cleanedAt < CLEAN_MS) return
    cleanedAt = Date.now()
    const before = new Date(Date.now() - logDays * 86_400_000).toISOString()
    while ((await db.system(tx => deleteFinishedDeliveries(tx, before, MAX_DELETED))) === MAX_DELETED);
  }

  return createWorkflowStarter({
    name: 'starting webhook deliveries',
    temporal,
    log,
    lease: limits => db.system(tx => leaseUnstarted(tx, limits)),
    describe({ id, workspace_id, event_type }) {
      const workflowId = buildDeliveryWorkflowId(id)
      return {
        type: WEBHOOK_DELIVERY_WORKFLOW,
        workflowId,
        staticSummary: `Webhook: ${event_type}`,
        args: [{ job: { job_id: workflowId, workspace_id }, delivery_id: id }],
      }
    },
    clean,
  })
}
