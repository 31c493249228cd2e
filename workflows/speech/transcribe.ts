import type { ActivityOptions } from '@temporalio/common'
import { retryThroughOutages } from '../shared/steps/activity-options.ts'
import { proxyActivities } from '@temporalio/workflow'
import type { TranscribeActivities } from '../../activities/types.ts'
import type { Transcript } from '../../domain/speech/transcript.ts'
import { cancellable, nonCancellable } from '../shared/scopes.ts'
import { runSingleJob } from '../shared/run/single-job.ts'
import type { TranscribeRunInput } from './transcribe-messages.ts'
import { escapeMarkdown } from '../shared/markdown.ts'
import { type JobOutcome, renderJobDetails } from '../shared/view/job-details.ts'

const MAX_ATTEMPTS = 12
/** Time to read the piece and store the answer. */
const OVERHEAD_MS = 30_000
/** Includes the wait in the splitter's queue. */
const SPLIT_TIMEOUT = '1 hour'

const buildOptions = (
  summary: string,
  startToCloseTimeout: ActivityOptions['startToCloseTimeout'],
): ActivityOptions => ({
  ...retryThroughOutages(MAX_ATTEMPTS),
  summary,
  startToCloseTimeout,
})

const splitOptions = buildOptions('split into pieces', SPLIT_TIMEOUT)
const joinOptions = buildOptions('join the pieces', '1 minute')
const deleteOptions = buildOptions('delete the audio', '1 minute')

const buildPieceOptions = (ordinal: number, total: number, timeLimitMs: number): ActivityOptions => ({
  ...buildOptions(`piece ${ordinal + 1} of ${total}`, timeLimitMs + OVERHEAD_MS),
  activityId: `piece-${ordinal + 1}`,
})

const { splitAudio } = proxyActivities<TranscribeActivities>(splitOptions)
const { joinTranscript } = proxyActivities<TranscribeActivities>(joinOptions)
const { deleteAudio } = proxyActivities<TranscribeActivities>(deleteOptions)

/** Transcribes one audio file in pieces. On failure, throws with the error code as failure type. */
export function transcribe(input: TranscribeRunInput): Promise<Transcript> {
  let total = 0
  return runSingleJob({
    job: input.job,
    step: 'transcribe',
    work: () => splitAndTranscribe(input, pieces => (total = pieces)),
    details: outcome => renderDetails(input, outcome),
    total: () => total,
  })
}

async function splitAndTranscribe(input: TranscribeRunInput, onPieces: (pieces: number) => void): Promise<Transcript> {
  const { job, audio } = input
  try {
    const { pieces } = await splitAudio({ job, audio })
    onPieces(pieces)
    await cancellable(cancel => transcribePieces(input, pieces, cancel))
    return await joinTranscript({ job })
  } catch (error) {
    // A failed deletion does not change the outcome.
    await nonCancellable(() => deleteAudio({ job })).catch(() => undefined)
    throw error
  }
}

/** Transcribes `concurrency` pieces concurrently. The first failure stops the others. */
async function transcribePieces(
  { job, audio: { language }, time_limit_ms, concurrency }: TranscribeRunInput,
  pieces: number,
  cancel: () => void,
): Promise<void> {
  let next = 0
  const transcribeNext = async (): Promise<void> => {
    while (next < pieces) {
      const ordinal = next++
      const { transcribePiece } = proxyActivities<TranscribeActivities>(
        buildPieceOptions(ordinal, pieces, time_limit_ms),
      )
      await transcribePiece({ job, ordinal, ...(language !== undefined && { language }) })
    }
  }
  const transcribers = Array.from({ length: Math.min(concurrency, pieces) }, transcribeNext)
  try {
    await Promise.all(transcribers)
  } catch (error) {
    next = pieces
    cancel()
    await Promise.allSettled(transcribers)
    throw error
  }
}

/** Renders the audio and the outcome as Markdown for the Temporal UI. */
const renderDetails = ({ audio, requester }: TranscribeRunInput, outcome: JobOutcome<Transcript>): string =>
  renderJobDetails({
    subject: 'audio',
    rows: [
      ['format', audio.format],
      ['size', `${(audio.size / 1_000).toFixed(1)} kB`],
      ['sent by', escapeMarkdown(requester)],
    ],
    outcome,
    resultRow: ({ duration_seconds }) => ['length', `${duration_seconds} s`],
  })
