import { proxyActivities } from '@temporalio/workflow'
import type { DiscoverActivities } from '../../activities/types.ts'
import type { DiscoverResult } from '../../domain/tools/tool-spec.ts'
import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import { escapeMarkdown } from '../shared/markdown.ts'
import { runSingleJob } from '../shared/run/single-job.ts'
import { type JobOutcome, renderJobDetails } from '../shared/view/job-details.ts'
import type { DiscoverRunInput } from './discover-messages.ts'

/** Lists the tools of a tool collection. On failure, throws with the error code as failure type. */
export const discover = (input: DiscoverRunInput): Promise<DiscoverResult> =>
  runSingleJob({
    job: input.job,
    step: 'discover',
    work: () => discoverTools(input),
    details: outcome => renderDetails(input, outcome),
    total: () => 1,
    output: result => ({ ...result }),
  })

function discoverTools({ job, reflex, requester }: DiscoverRunInput): Promise<DiscoverResult> {
  const activities = proxyActivities<DiscoverActivities>({
    summary: reflex.slug,
    startToCloseTimeout: '2 minutes',
    ...HEARTBEATED,
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds', maximumAttempts: 5 },
  })
  return activities.discover({ job, reflex_id: reflex.id, requester })
}

const renderDetails = ({ reflex, requester }: DiscoverRunInput, outcome: JobOutcome<DiscoverResult>): string =>
  renderJobDetails({
    subject: 'reflex',
    rows: [
      ['title', escapeMarkdown(reflex.title)],
      ['requested by', escapeMarkdown(requester)],
    ],
    outcome,
    resultRow: ({ tools }) => ['tools', String(tools)],
  })
