import { proxyActivities } from '@temporalio/workflow'
import type { TranscribeActivities } from '../../activities/types.ts'
import type { Transcript } from '../../domain/speech/transcript.ts'
import { cancellable, nonCancellable } from '../shared/scopes.ts'
import { runSingleJob } from '../shared/single-job.ts'
import { renderDetails } from './details.ts'
import type { TranscribeRunInput } from './messages.ts'
import { dropOptions, joinOptions, pieceOptions, splitOptions } from './options.ts'

const { splitAudio } = proxyActivities<TranscribeActivities>(splitOptions)
const { joinTranscript } = proxyActivities<TranscribeActivities>(joinOptions)
const { dropAudio } = proxyActivities<TranscribeActivities>(dropOptions)

/** Transcribes one audio in pieces. Throws with the error code as failure type. */
export function transcribe(input: TranscribeRunInput): Promise<Transcript> {
  let total = 0
  return runSingleJob({
    job: input.job,
    step: 'transcribe',
    work: () => listen(input, pieces => (total = pieces)),
    details: outcome => renderDetails(input, outcome),
    total: () => total,
  })
}

async function listen(input: TranscribeRunInput, onPieces: (pieces: number) => void): Promise<Transcript> {
  const { job, audio } = input
  try {
    const { pieces } = await splitAudio({ job, audio })
    onPieces(pieces)
    await cancellable(cancel => hearAll(input, pieces, cancel))
    return await joinTranscript({ job })
  } catch (error) {
    // Bytes that stay are no reason to end otherwise.
    await nonCancellable(() => dropAudio({ job })).catch(() => undefined)
    throw error
  }
}

/** Some at a time; the first failure stops the others. */
async function hearAll(
  { job, time_limit_ms, concurrency }: TranscribeRunInput,
  pieces: number,
  cancel: () => void,
): Promise<void> {
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
    cancel()
    await Promise.allSettled(hearers)
    throw error
  }
}
