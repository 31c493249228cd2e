import type { Logger } from 'pino'
import { countTreated } from '../../domain/runs/bulk/bulk.ts'
import { AppError, isTransient } from '../../domain/shared/errors.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { BulkBatch } from '../../services/runs/bulk/bulk-batch.ts'
import type { Projections } from '../../services/runs/projections.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { buildPrincipal } from '../tools/principal.ts'
import type { BulkActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

export interface BulkActivityDeps {
  bulkBatch: BulkBatch
  projections: Pick<Projections, 'applyNodeStart'>
  publisher: Pick<JobPublisher, 'publish'>
  log: Logger
}

/** Creates the activities for bulk jobs. A batch that must wait fails with the code of the cause and is retried. */
export function createBulkActivities({ bulkBatch, projections, publisher, log }: BulkActivityDeps): BulkActivities {
  const settings = { log, subject: 'bulk job' }
  return {
    pinBulkRuns: withHeartbeat(settings, ({ after, ...run }) => bulkBatch.pin(run, after)),

    applyBulkBatch: withHeartbeat(settings, async (run, { signal }) => {
      // As in the original request, the requester sees all brains that the credential permits.
      const { brain: _brain, ...principal } = { ...buildPrincipal(run), ...run.credential }
      const batch = await bulkBatch.apply(principal, run, { signal }).catch(retryTransient)
      const { job } = run
      const progress = { done: countTreated(batch.counts), total: batch.counts.matched }
      await projections.applyNodeStart({ job, status: 'running', progress, nodes: [], interventions: [] })
      publisher.publish(job.job_id, { type: 'progress', ...progress })
      return batch
    }),
  }
}

function retryTransient(error: unknown): never {
  if (error instanceof AppError && isTransient(error))
    throw new StepError(error.code, error.message, { retryable: true })
  throw error
}
