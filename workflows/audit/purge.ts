import { proxyActivities } from '@temporalio/workflow'
import type { PurgeActivities } from '../../activities/types.ts'
import { addRemoved, type PurgeResult } from '../../domain/audit/purge.ts'
import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import { escapeMarkdown } from '../shared/markdown.ts'
import { type JobOutcome, renderJobDetails } from '../shared/view/job-details.ts'
import { nonCancellable } from '../shared/scopes.ts'
import { runSingleJob } from '../shared/run/single-job.ts'
import type { PurgeRunInput } from './purge-messages.ts'

/** Permanently removes the content of a thread or resource. Cancelling does not stop it. */
export const purge = (input: PurgeRunInput): Promise<PurgeResult> =>
  runSingleJob({
    job: input.job,
    step: 'purge',
    work: () => nonCancellable(() => purgeTarget(input)),
    details: outcome => renderDetails(input, outcome),
    total: () => 1,
    output: result => ({ ...result }),
  })

/** An attempt fails while runs are still open. The next attempt may start weeks later. */
async function purgeTarget(input: PurgeRunInput): Promise<PurgeResult> {
  const { purgeBatch } = proxyActivities<PurgeActivities>({
    summary: `${input.target.type} ${input.target.id}`,
    startToCloseTimeout: '2 minutes',
    ...HEARTBEATED,
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  })
  let totals = addRemoved({}, {})
  for (let isDone = false; !isDone;)
    ({ removed: totals, done: isDone } = await purgeBatch({ ...input, removed: totals }))
  return { ...input.target, removed: totals }
}

const renderDetails = ({ target, requester }: PurgeRunInput, outcome: JobOutcome<PurgeResult>): string =>
  renderJobDetails({
    subject: target.type,
    rows: [
      ['id', `\`${target.id}\``],
      ['requested by', escapeMarkdown(requester)],
    ],
    outcome,
    resultRow: ({ removed: counts }) => ['jobs', String(counts.jobs)],
  })
