import type { Logger } from 'pino'
import type { PurgeBatch } from '../../services/audit/purges/purge-batch.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { buildPrincipal } from '../tools/principal.ts'
import type { PurgeActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

export interface PurgeActivityDeps {
  purgeBatch: PurgeBatch
  log: Logger
}

/**
 * Creates the `purgeBatch` activity. While the target still has open runs, the activity fails with `PURGE_WAITS` and
 * is retried.
 */
export const createPurgeActivity = ({ purgeBatch, log }: PurgeActivityDeps): PurgeActivities['purgeBatch'] =>
  withHeartbeat({ log, subject: 'purge' }, async ({ job, target, requester, removed: counts }) => {
    const outcome = await purgeBatch(buildPrincipal({ job, requester }), target, counts)
    if ('done' in outcome) return outcome
    throw new StepError('PURGE_WAITS', `The purge is waiting for ${outcome.waitsFor}`, { retryable: true })
  })
