import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { leaseUnstartedFirings } from '../../data/triggers/trigger-firings-store.ts'
import { createLoop, drain, type Loop } from '../shared/loop.ts'
import type { TriggerFiring } from './fire.ts'

interface Deps {
  db: Database
  firing: Pick<TriggerFiring, 'completeFiring'>
  log: Logger
}

const BATCH = 20
const LEASE_SECONDS = 30
const IDLE_MS = 5_000

/** Starts the runs for firings that another process stored but did not start. Several processes may run this loop. */
export const createFiringCompletion = ({ db, firing, log }: Deps): Loop =>
  createLoop({
    name: 'starting the runs of firings',
    idleMs: IDLE_MS,
    log,
    async round(signal) {
      const lease = () => db.system(tx => leaseUnstartedFirings(tx, { limit: BATCH, leaseSeconds: LEASE_SECONDS }))
      await drain(signal, lease, entry =>
        firing
          .completeFiring(entry)
          .catch((err: unknown) => log.warn({ err, firing_id: entry.id }, "starting a trigger's run failed; retrying")),
      )
    },
  })
