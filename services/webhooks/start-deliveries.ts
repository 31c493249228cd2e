import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import {
  deleteFinishedDeliveries,
  leaseUnstarted,
  type UnstartedDelivery,
} from '../../data/webhooks/webhook-deliveries-store.ts'
import { createSemaphore } from '../../domain/shared/fairness/semaphore.ts'
import { buildDeliveryWorkflowId, WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhooks/delivery-messages.ts'
import { createLoop, drain, type Loop } from '../shared/loop.ts'
import type { Temporal } from '../shared/temporal.ts'

/** Starts delivery workflows. The row is written first, so that a lost start is retried. */
export interface DeliveryStarter extends Loop {
  /** Starts a new delivery's workflow in the background. If the start fails, the loop starts the workflow later. */
  start(delivery: UnstartedDelivery): void
}

interface Deps {
  db: Database
  temporal: Temporal
  logDays: number
  log: Logger
}

/** Maximum number of deliveries started per workspace and round, so that other workspaces are not delayed. */
const PER_WORKSPACE = 20
const MAX_STARTS = 8
const LEASE_SECONDS = 30
const IDLE_MS = 5_000
const CLEAN_MS = 60_000
const MAX_DELETED = 1_000

/** The loop starts due deliveries and deletes old deliveries. Several processes may run it. */
export function createDeliveryStarter({ db, temporal, logDays, log }: Deps): DeliveryStarter {
  const starts = createSemaphore(MAX_STARTS)

  async function startWorkflow({ id, workspace_id, event_type }: UnstartedDelivery): Promise<void> {
    const workflowId = buildDeliveryWorkflowId(id)
    const release = await starts.acquire(AbortSignal.timeout(LEASE_SECONDS * 1_000), workspace_id)
    try {
      await temporal.call(({ workflow }) =>
        workflow.start(WEBHOOK_DELIVERY_WORKFLOW, {
          taskQueue: temporal.taskQueue,
          workflowId,
          // A replay starts the workflow again. Repeating a start while the workflow is running has no effect. A
          // start while the previous run is ending is retried, because the delivery was not processed.
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
          args: [{ job: { job_id: workflowId, workspace_id }, delivery_id: id }],
          staticSummary: `Webhook: ${event_type}`,
          priority: { fairnessKey: workspace_id },
        }),
      )
    } finally {
      release()
    }
  }

  const startOrLog = (delivery: UnstartedDelivery) =>
    startWorkflow(delivery).catch((err: unknown) =>
      log.warn({ err, delivery_id: delivery.id }, 'starting a webhook delivery failed; retrying'),
    )

  const lease = () => db.system(tx => leaseUnstarted(tx, { perWorkspace: PER_WORKSPACE, leaseSeconds: LEASE_SECONDS }))

  let cleanedAt = 0
  async function clean(): Promise<void> {
    if (Date.now() - cleanedAt < CLEAN_MS) return
    cleanedAt = Date.now()
    const before = new Date(Date.now() - logDays * 86_400_000).toISOString()
    while ((await db.system(tx => deleteFinishedDeliveries(tx, before, MAX_DELETED))) === MAX_DELETED);
  }

  const loop = createLoop({
    name: 'starting webhook deliveries',
    idleMs: IDLE_MS,
    log,
    async round(signal) {
      await drain(signal, lease, startOrLog)
      await clean()
    },
  })
  return { ...loop, start: delivery => void startOrLog(delivery) }
}
