import type { WorkflowStartOptions } from '@temporalio/client'
import type { Logger } from 'pino'
import type { LeaseLimits } from '../../data/webhooks/event-outbox-store.ts'
import { createSemaphore } from '../../domain/shared/fairness/semaphore.ts'
import { createLoop, drain, type Loop } from './loop.ts'
import type { Temporal } from './temporal.ts'

/** A row for which a workflow must run. */
interface Row {
  id: string
  workspace_id: string
}

/**
 * Starts a workflow for each row. The row is written first, so that a lost start is retried. Several processes may
 * run the loop.
 */
export interface WorkflowStarter<R extends Row> extends Loop {
  /** Starts a new row's workflow in the background. If the start fails, the loop starts the workflow later. */
  start(row: R): void
}

interface Options<R extends Row> {
  /** Name of the work in logs, such as `starting webhook deliveries`. */
  name: string
  temporal: Temporal
  log: Logger
  /** Leases rows whose workflow has not started, a few from each workspace. */
  lease: (limits: LeaseLimits) => Promise<R[]>
  describe: (
    row: R,
  ) => { type: string } & Pick<WorkflowStartOptions, 'workflowId' | 'staticSummary'> & { args: unknown[] }
  /** Additional work of each round. */
  clean?: () => Promise<void>
}

/** Maximum number of workflows started per workspace and round, so that other workspaces are not delayed. */
const PER_WORKSPACE = 20
const MAX_STARTS = 8
const LEASE_SECONDS = 30
const IDLE_MS = 5_000

export function createWorkflowStarter<R extends Row>(options: Options<R>): WorkflowStarter<R> {
  const { name, temporal, log, lease, describe, clean } = options
  const starts = createSemaphore(MAX_STARTS)

  async function startWorkflow(row: R): Promise<void> {
    const { type, ...workflowOptions } = describe(row)
    const release = await starts.acquire(AbortSignal.timeout(LEASE_SECONDS * 1_000), row.workspace_id)
    try {
      await temporal.call(({ workflow }) =>
        workflow.start(type, {
          taskQueue: temporal.taskQueue,
          // A row can need its workflow again. Repeating a start while the workflow is running has no effect. A start
          // while the previous run is ending is retried, because the row was not processed.
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
          priority: { fairnessKey: row.workspace_id },
          ...workflowOptions,
        }),
      )
    } finally {
      release()
    }
  }

  const startOrLog = (row: R) =>
    startWorkflow(row).catch((err: unknown) =>
      log.warn({ err, workflow_id: describe(row).workflowId }, `${name} failed; retrying`),
    )

  const loop = createLoop({
    name,
    idleMs: IDLE_MS,
    log,
    async round(signal) {
      await drain(signal, () => lease({ perWorkspace: PER_WORKSPACE, leaseSeconds: LEASE_SECONDS }), startOrLog)
      await clean?.()
    },
  })
  return { ...loop, start: row => void startOrLog(row) }
}
