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
  // User runs have priority.
  priority: { priorityKey: 5 },
} as const

/** If the query takes Postgres too long, it never succeeds. The job then fails before it changes any run. */
const { pinBulkRuns } = proxyActivities<Pick<BulkActivities, 'pinBulkRuns'>>({
  ...OPTIONS,
  retry: { ...RETRY, maximumAttempts: 30 },
})
/** A batch fails while a component is unavailable, and while the plan of the workspace allows no more runs. */
const { applyBulkBatch } = proxyActivities<Pick<BulkActivities, 'applyBulkBatch'>>({ ...OPTIONS, retry: RETRY })

/** Applies an operation to each run that matches a filter. A cancellation takes effect between two runs. */
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
    // After continue-as-new, the workflow has no record of an earlier cancellation.
    throwIfCancelled()
    if (workflowInfo().continueAsNewSuggested)
      await continueWithCurrentBuild<typeof bulk>({ ...input, is_pinned: true })
  }
}

/** Lists the runs before changing the first one, because the operation may change which runs match the filter. */
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
      ['at most', `${per_second} per second`],
      ...(reason === undefined ? [] : [['reason', escapeMarkdown(reason)] as [string, string]]),
    ],
    outcome,
    resultRow: ({ done, skipped, failed }) => ['runs', `${done} done, ${skipped} skipped, ${failed} failed`],
  })
