import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { BulkActivities, BulkCursor } from '../../activities/types.ts'
import type { BulkResult } from '../../domain/runs/bulk/bulk.ts'
import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import { escapeMarkdown } from '../shared/markdown.ts'
import { type JobOutcome, renderJobDetails } from '../shared/view/job-details.ts'
import { throwIfCancelled } from '../shared/scopes.ts'
import { runSingleJob } from '../shared/run/single-job.ts'
import { continueWithCurrentBuild } from '../shared/versioning.ts'
import type { BulkRunInput } from './bulk-messages.ts'

const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' } as const
const OPTIONS = {
  startToCloseTimeout: '2 minutes',
  ...HEARTBEATED,
  // Runs of people go first.
  priority: { priorityKey: 5 },
} as const

/** A filter that takes Postgres too long never succeeds: the job fails before it has changed a run. */
const { pinBulkRuns } = proxyActivities<Pick<BulkActivities, 'pinBulkRuns'>>({
  ...OPTIONS,
  retry: { ...RETRY, maximumAttempts: 30 },
})
/** A batch fails while a component is away, and while the plan of the workspace allows no further run. */
const { applyBulkBatch } = proxyActivities<Pick<BulkActivities, 'applyBulkBatch'>>({ ...OPTIONS, retry: RETRY })

/** Applies an operation to the runs of a filter, one after the other. A cancel stops it between two runs. */
export const bulk = (input: BulkRunInput): Promise<BulkResult> =>
  runSingleJob({
    job: input.job,
    step: 'bulk',
    work: () => applyToAll(input),
    details: outcome => renderDetails(input, outcome),
    total: ({ matched }) => matched,
    output: result => ({ ...result }),
  })

async function applyToAll(input: BulkRunInput): Promise<BulkResult> {
  if (!input.is_pinned) await pinAll(input)
  for (;;) {
    const { counts, is_last } = await applyBulkBatch(input)
    if (is_last) return { operation: input.operation, ...counts }
    // A run that continues as new does not know of a cancel before.
    throwIfCancelled()
    if (workflowInfo().continueAsNewSuggested)
      await continueWithCurrentBuild<typeof bulk>({ ...input, is_pinned: true })
  }
}

/** Lists the runs before the first one is changed, because the operation may change what the filter matches. */
async function pinAll(input: BulkRunInput): Promise<void> {
  let after: BulkCursor | undefined
  do after = await pinBulkRuns({ ...input, after })
  while (after)
}

const renderDetails = (
  { operation, requester, per_second, reason }: BulkRunInput,
  outcome: JobOutcome<BulkResult>,
): string =>
  renderJobDetails({
    subject: 'bulk job',
    rows: [
      ['operation', operation],
      ['requested by', escapeMarkdown(requester)],
      ['at most', `${per_second} a second`],
      ...(reason === undefined ? [] : [['reason', escapeMarkdown(reason)] as [string, string]]),
    ],
    outcome,
    resultRow: ({ done, skipped, failed }) => ['runs', `${done} done, ${skipped} skipped, ${failed} failed`],
  })
