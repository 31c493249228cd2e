import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { FinishInput, IngestActivities, PathwayProjections } from '../../activities/types.ts'
import type { IngestResult } from '../../domain/documents.ts'
import type { NodeMilestone, NodeStatus } from '../../domain/jobs.ts'
import { describe } from '../failures.ts'
import { recordOptions } from '../record-options.ts'
import { detailsOf } from './details.ts'
import type { IngestRunInput } from './messages.ts'
import { extractOptions } from './options.ts'

const { record, finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

type End = Pick<FinishInput, 'error' | 'receipt'> &
  ({ outcome: 'completed'; result: IngestResult } | { outcome: 'failed' | 'cancelled' })

/** Reads one document. Gives what was read; fails with the code of what kept it from being read as failure type. */
export async function ingest(input: IngestRunInput): Promise<IngestResult> {
  const { job } = input
  setCurrentDetails(detailsOf(input, 'running'))
  await unstoppable(() =>
    record({ job, status: 'running', seq: 1, current_step: STEP, nodes: [milestone('running')], interventions: [] }),
  )
  const end = await read(input)
  setCurrentDetails(detailsOf(input, end.outcome === 'completed' ? end.result : (end.error ?? 'cancelled')))
  await unstoppable(() => finish(told(input, end)))
  return conclude(end)
}

/** The name of the one step there is. */
const STEP = 'extract'

/** What is written down is written down, whatever becomes of the run. */
const unstoppable = <T>(work: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(work)

async function read(input: IngestRunInput): Promise<End> {
  const { job, document } = input
  const { extract } = proxyActivities<IngestActivities>(extractOptions(input))
  try {
    const { pages, characters } = await extract({ job, document })
    const { asset_id, version, media_type } = document
    return { outcome: 'completed', result: { asset_id, version, media_type, pages, characters } }
  } catch (error) {
    if (isCancellation(error))
      return { outcome: 'cancelled', receipt: [{ node_id: STEP, key: STEP, outcome: 'stopped' }] }
    return { outcome: 'failed', error: describe(error).error }
  }
}

const ENDS: Record<End['outcome'], NodeStatus> = { completed: 'completed', failed: 'failed', cancelled: 'cancelled' }

function told({ job }: IngestRunInput, end: End): FinishInput {
  const result = end.outcome === 'completed' ? { ...end.result } : undefined
  const pages = result?.pages ?? 1
  const node = { ...milestone(ENDS[end.outcome]), output: result, error: end.error }
  const progress = result && { done: pages, total: pages }
  return { ...end, job, result, seq: 2, progress, at: now(), nodes: [node], interventions: [] }
}

function conclude(end: End): IngestResult {
  if (end.outcome === 'completed') return end.result
  if (end.outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(end.error?.message, end.error?.code)
}

const milestone = (status: NodeStatus): NodeMilestone => ({
  key: STEP,
  node_id: STEP,
  node_type: STEP,
  status,
  at: now(),
})

const now = (): string => new Date().toISOString()
