import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { DiscoverActivities, FinishInput, PathwayProjections } from '../../activities/types.ts'
import type { NodeMilestone, NodeStatus } from '../../domain/jobs.ts'
import type { DiscoverResult } from '../../domain/tools/tool-spec.ts'
import { describe } from '../failures.ts'
import { plain } from '../markdown.ts'
import { HEARTBEAT_TIMEOUT, recordOptions } from '../record-options.ts'
import type { DiscoverRunInput } from './messages.ts'

const { record, finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

type End = Pick<FinishInput, 'error' | 'receipt'> &
  ({ outcome: 'completed'; result: DiscoverResult } | { outcome: 'failed' | 'cancelled' })

const STEP = 'discover'
const ENDS: Record<End['outcome'], NodeStatus> = { completed: 'completed', failed: 'failed', cancelled: 'cancelled' }

/** Lists the tools of a reflex. Gives what was found; fails with the code of what kept it from that as failure type. */
export async function discover(input: DiscoverRunInput): Promise<DiscoverResult> {
  const { job } = input
  await unstoppable(() =>
    record({ job, status: 'running', seq: 1, current_step: STEP, nodes: [milestone('running')], interventions: [] }),
  )
  const end = await list(input)
  setCurrentDetails(detailsOf(input, end))
  await unstoppable(() => finish(told(input, end)))
  return conclude(end)
}

/** What is written down is written down, whatever becomes of the run. */
const unstoppable = <T>(work: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(work)

async function list({ job, reflex, requester }: DiscoverRunInput): Promise<End> {
  const activities = proxyActivities<DiscoverActivities>({
    summary: reflex.slug,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: HEARTBEAT_TIMEOUT,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds', maximumAttempts: 5 },
  })
  try {
    return { outcome: 'completed', result: await activities.discover({ job, reflex_id: reflex.id, requester }) }
  } catch (error) {
    if (isCancellation(error))
      return { outcome: 'cancelled', receipt: [{ node_id: STEP, key: STEP, outcome: 'stopped' }] }
    return { outcome: 'failed', error: describe(error).error }
  }
}

function told({ job }: DiscoverRunInput, end: End): FinishInput {
  const result = end.outcome === 'completed' ? { ...end.result } : undefined
  const node = { ...milestone(ENDS[end.outcome]), output: result, error: end.error }
  const progress = result && { done: 1, total: 1 }
  return { ...end, job, result, seq: 2, progress, at: now(), nodes: [node], interventions: [] }
}

function conclude(end: End): DiscoverResult {
  if (end.outcome === 'completed') return end.result
  if (end.outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(end.error?.message, end.error?.code)
}

function detailsOf({ reflex }: DiscoverRunInput, end: End): string {
  if (end.outcome === 'completed') return `**${plain(reflex.title)}**: ${end.result.tools} tools`
  return `**${plain(reflex.title)}**: ${plain(end.error?.message ?? end.outcome)}`
}

const milestone = (status: NodeStatus): NodeMilestone => ({
  key: STEP,
  node_id: STEP,
  node_type: STEP,
  status,
  at: now(),
})

const now = (): string => new Date().toISOString()
