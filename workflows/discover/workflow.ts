import { proxyActivities } from '@temporalio/workflow'
import type { DiscoverActivities } from '../../activities/types.ts'
import type { DiscoverResult } from '../../domain/tools/tool-spec.ts'
import { watched } from '../activity-options.ts'
import { plain } from '../markdown.ts'
import { runSingleJob } from '../run/single-job.ts'
import { type Standing, standingTable } from '../run/standing.ts'
import type { DiscoverRunInput } from './messages.ts'

/** Lists the tools of a reflex. Gives what was found; fails with the code of what kept it from that as failure type. */
export const discover = (input: DiscoverRunInput): Promise<DiscoverResult> =>
  runSingleJob({
    job: input.job,
    step: 'discover',
    work: () => list(input),
    details: standing => detailsOf(input, standing),
    total: () => 1,
    output: result => ({ ...result }),
  })

function list({ job, reflex, requester }: DiscoverRunInput): Promise<DiscoverResult> {
  const activities = proxyActivities<DiscoverActivities>({
    summary: reflex.slug,
    startToCloseTimeout: '2 minutes',
    ...watched,
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds', maximumAttempts: 5 },
  })
  return activities.discover({ job, reflex_id: reflex.id, requester })
}

const detailsOf = ({ reflex, requester }: DiscoverRunInput, standing: Standing<DiscoverResult>): string =>
  standingTable({
    about: 'reflex',
    rows: [
      ['title', plain(reflex.title)],
      ['asked by', plain(requester)],
    ],
    standing,
    gave: ({ tools }) => ['tools', String(tools)],
  })
