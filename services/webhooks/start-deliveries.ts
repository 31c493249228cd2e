import type { Logger } from 'pino'
import type { Database } from '../../data/database.ts'
import {
  deleteFinishedDeliveries,
  leaseUnstarted,
  type UnstartedDelivery,
} from '../../data/webhook-deliveries-store.ts'
import { createSemaphore } from '../../domain/semaphore.ts'
import { toDeliveryWorkflowId, WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery/messages.ts'
import { createWakeUp } from '../events/wake-up.ts'
import type { Temporal } from '../temporal.ts'

/** Starts the workflows of deliveries. A row is written first, so that a lost start is repeated. */
export interface DeliveryStarter {
  /** Starts the workflow of a new delivery in the background. When that fails, `run` starts it later. */
  start(delivery: UnstartedDelivery): void
  /** Looks for deliveries to start now. */
  wake(): void
  /** Starts what is due, and deletes old deliveries, until the signal aborts. Several processes may run it. */
  run(signal: AbortSignal): Promise<void>
}

interface Deps {
  db: Database
  temporal: Temporal
  logDays: number
  log: Logger
}

/** Deliveries of one workspace that are started in a round; another workspace waits for no more. */
const PER_WORKSPACE = 20
const MAX_STARTS = 8
const LEASE_SECONDS = 30
const IDLE_MS = 5_000
const CLEAN_MS = 60_000
const MAX_DELETED = 1_000

export function createDeliveryStarter({ db, temporal, logDays, log }: Deps): DeliveryStarter {
  const wakeUp = createWakeUp()
  const starts = createSemaphore(MAX_STARTS)

  async function startWorkflow({ id, workspace_id, event_type }: UnstartedDelivery): Promise<void> {
    const workflowId = toDeliveryWorkflowId(id)
    const release = await starts.acquire(AbortSignal.timeout(LEASE_SECONDS * 1_000), workspace_id)
    try {
      await temporal.call(({ workflow }) =>
        workflow.start(WEBHOOK_DELIVERY_WORKFLOW, {
          taskQueue: temporal.taskQueue,
          workflowId,
          // A replay starts the workflow again. A start that is repeated while it runs changes nothing; one that comes
          // while the run before is ending is repeated, because the delivery is not taken.
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
      log.warn({ err, delivery_id: delivery.id }, 'starting a webhook delivery failed, will be retried'),
    )

  async function startDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const limits = { perWorkspace: PER_WORKSPACE, leaseSeconds: LEASE_SECONDS }
      const due = await db.system(tx => leaseUnstarted(tx, limits))
      if (due.length === 0) return
      await Promise.all(due.map(startOrLog))
    }
  }

  let cleanedAt = 0
  async function clean(): Promise<void> {
    if (Date.now() - cleanedAt < CLEAN_MS) return
    cleanedAt = Date.now()
    const before = new Date(Date.now() - logDays * 86_400_000).toISOString()
    while ((await db.system(tx => deleteFinishedDeliveries(tx, before, MAX_DELETED))) === MAX_DELETED);
  }

  return {
    start: delivery => void startOrLog(delivery),
    wake: () => wakeUp.wake(),
    async run(signal) {
      while (!signal.aborted) {
        await startDue(signal)
          .then(clean)
          .catch((err: unknown) => log.warn({ err }, 'starting webhook deliveries failed, will be retried'))
        await wakeUp.wait(IDLE_MS, signal)
      }
    },
  }
}
