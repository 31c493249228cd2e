import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { FinishInput, PathwayProjections, TranscribeActivities } from '../../activities/types.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { NodeMilestone, NodeStatus } from '../../domain/jobs.ts'
import type { Transcript } from '../../domain/speech/transcript.ts'
import { describe } from '../failures.ts'
import { recordOptions } from '../record-options.ts'
import { detailsOf } from './details.ts'
import type { TranscribeRunInput } from './messages.ts'
import { dropOptions, joinOptions, pieceOptions, splitOptions } from './options.ts'

const { record, finish } = proxyLocalActivities<PathwayProjections>(recordOptions)
const { splitAudio } = proxyActivities<TranscribeActivities>(splitOptions)
const { joinTranscript } = proxyActivities<TranscribeActivities>(joinOptions)
const { dropAudio } = proxyActivities<TranscribeActivities>(dropOptions)

/** The name of the one step there is. */
const STEP = 'transcribe'

type End = Pick<FinishInput, 'error' | 'receipt'> &
  ({ outcome: 'completed'; result: Transcript } | { outcome: 'failed' | 'cancelled' })

/** Writes one audio down, piece by piece. Fails with the code of what kept it from that as failure type. */
export async function transcribe(input: TranscribeRunInput): Promise<Transcript> {
  const { job } = input
  setCurrentDetails(detailsOf(input, 'running'))
  await unstoppable(() =>
    record({ job, status: 'running', seq: 1, current_step: STEP, nodes: [milestone('running')], interventions: [] }),
  )
  let total = 0
  const end = await listen(input, pieces => (total = pieces))
  setCurrentDetails(detailsOf(input, end.outcome === 'completed' ? end.result : (end.error ?? 'cancelled')))
  await unstoppable(() => finish(told(input, end, total)))
  return conclude(end)
}

/** What is written down is written down, whatever becomes of the run. */
const unstoppable = <T>(work: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(work)

async function listen(input: TranscribeRunInput, onPieces: (pieces: number) => void): Promise<End> {
  const { job, audio } = input
  try {
    const { pieces } = await splitAudio({ job, audio })
    onPieces(pieces)
    await CancellationScope.cancellable(() => hearAll(input, pieces))
    return { outcome: 'completed', result: await joinTranscript({ job }) }
  } catch (error) {
    const end = endOf(error)
    // Bytes that stay are no reason to end otherwise.
    await unstoppable(() => dropAudio({ job })).catch(() => undefined)
    return end
  }
}

/** Some at a time; the first failure stops the others. */
async function hearAll({ job, time_limit_ms, concurrency }: TranscribeRunInput, pieces: number): Promise<void> {
  let next = 0
  const hearNext = async (): Promise<void> => {
    while (next < pieces) {
      const ordinal = next++
      const { transcribePiece } = proxyActivities<TranscribeActivities>(pieceOptions(ordinal, pieces, time_limit_ms))
      await transcribePiece({ job, ordinal })
    }
  }
  const hearers = Array.from({ length: Math.min(concurrency, pieces) }, hearNext)
  try {
    await Promise.all(hearers)
  } catch (error) {
    next = pieces
    CancellationScope.current().cancel()
    await Promise.allSettled(hearers)
    throw error
  }
}

function endOf(error: unknown): End {
  if (!isCancellation(error)) return { outcome: 'failed', error: describe(error).error }
  return { outcome: 'cancelled', receipt: [{ node_id: STEP, key: STEP, outcome: 'stopped' }] }
}

const ENDS: Record<End['outcome'], NodeStatus> = { completed: 'completed', failed: 'failed', cancelled: 'cancelled' }

function told({ job }: TranscribeRunInput, end: End, total: number): FinishInput {
  const isDone = end.outcome === 'completed'
  const result = isDone ? (end.result as unknown as JsonValue) : undefined
  const progress = isDone ? { done: total, total } : undefined
  const node = { ...milestone(ENDS[end.outcome]), error: end.error }
  const { outcome, error, receipt } = end
  return { job, outcome, error, receipt, result, progress, seq: 2, at: now(), nodes: [node], interventions: [] }
}

function conclude(end: End): Transcript {
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
