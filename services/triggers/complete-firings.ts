import type { Logger } from 'pino'
import type { Database } from '../../data/database.ts'
import { leaseUnstartedFirings } from '../../data/trigger-firings-store.ts'
import { createWakeUp } from '../events/wake-up.ts'
import type { TriggerFiring } from './fire.ts'

interface Deps {
  db: Database
  firing: Pick<TriggerFiring, 'completeFiring'>
  log: Logger
}

const BATCH = 20
const LEASE_SECONDS = 30
const IDLE_MS = 5_000

/** Starts the runs of firings that a process has stored and not started. Several processes may run it. */
export async function completeFirings(signal: AbortSignal, { db, firing, log }: Deps): Promise<void> {
  const pause = createWakeUp()

  async function completeDue(): Promise<void> {
    while (!signal.aborted) {
      const due = await db.system(tx => leaseUnstartedFirings(tx, { limit: BATCH, leaseSeconds: LEASE_SECONDS }))
      if (due.length === 0) return
      await Promise.all(
        due.map(one =>
          firing
            .completeFiring(one)
            .catch((err: unknown) =>
              log.warn({ err, firing_id: one.id }, 'starting the run of a trigger failed, will be retried'),
            ),
        ),
      )
    }
  }

  while (!signal.aborted) {
    await completeDue().catch((err: unknown) =>
      log.warn({ err }, 'looking for firings without a run failed, will be retried'),
    )
    await pause.wait(IDLE_MS, signal)
  }
}
