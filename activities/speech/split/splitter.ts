import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { AudioFormat } from '../../../domain/speech/audio.ts'
import { PIECE_FORMATS } from '../../../domain/speech/audio.ts'
import { type CutLimits, PIECES } from '../../../domain/speech/audio-split.ts'
import { type Frame, parsePayload } from '../../shared/isolation/frames.ts'
import { startIsolated } from '../../shared/isolation/isolated-process.ts'
import { classifyEnding } from '../../shared/isolation/signals.ts'
import { createSemaphore } from '../../../domain/shared/fairness/semaphore.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { AUDIO_ERROR_CODES, AudioError, audioTooComplexError, brokenAudioError } from '../audio-error.ts'
import { CUT_FRAME, type CutJob, type CutPiece } from './process/messages.ts'

/** A piece of audio as a separate file. */
export type SplitPiece = Omit<CutPiece, 'whole'> & { bytes: Uint8Array }

export interface Splitter {
  /**
   * Yields an audio file's pieces in order. Splits lazily, and always at the same places for the same audio. Throws
   * AudioError, the signal's reason, or a retryable StepError (SPLITTER_LOST) if the process was killed externally.
   */
  split(audio: { bytes: Uint8Array; format: AudioFormat }, signal: AbortSignal): AsyncGenerator<SplitPiece>
}

export interface SplitterSettings {
  /** Maximum duration of an audio file. */
  maxSeconds: number
  log: Logger
  limits?: CutLimits
  /** Time limit per audio file, excluding time in the queue. */
  timeoutMs?: number
  /** Memory limit in addition to the size of the audio. */
  memoryBytes?: number
  /** Maximum number of audio files split concurrently. Other files are queued. */
  concurrency?: number
}

const MAIN = fileURLToPath(new URL('process/main.ts', import.meta.url))
const MB = 1_048_576

const pieceSchema = z.object({
  ordinal: z.int(),
  start: z.number(),
  duration: z.number(),
  format: z.enum(PIECE_FORMATS),
  whole: z.boolean().optional(),
})
const failureSchema = z.object({ code: z.enum(AUDIO_ERROR_CODES), message: z.string(), detail: z.string().optional() })

/** Splits each audio file in an isolated process, so that a malicious file can exhaust only its own time and memory. */
export function createSplitter(settings: SplitterSettings): Splitter {
  const { maxSeconds, log, limits = PIECES, timeoutMs = 120_000, memoryBytes = 400 * MB, concurrency = 2 } = settings
  const semaphore = createSemaphore(concurrency)

  async function* cut(audio: { bytes: Uint8Array; format: AudioFormat }, caller: AbortSignal) {
    const { bytes, format } = audio
    const job: CutJob = { format, limits, maxSeconds }
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([caller, timeout])
    const totalBytes = memoryBytes + 2 * bytes.length
    const child = startIsolated({ main: MAIN, job, bytes, memoryBytes: totalBytes, signal })
    let isDone = false
    try {
      for await (const next of readPieces(child.frames, bytes)) {
        isDone = next === 'done'
        if (next !== 'done') yield next
      }
    } catch (error) {
      // A killed process may have sent incomplete frames.
      if (error instanceof AudioError) throw error
    } finally {
      await child.end()
    }
    if (isDone) return
    const end = await child.end()
    caller.throwIfAborted()
    if (timeout.aborted) throw audioTooComplexError()
    const ending = classifyEnding(end.signal)
    log.warn(
      { format, ending, signal: end.signal, stderr: end.stderr, err: end.error },
      'audio process ended unexpectedly',
    )
    if (!end.error && ending === 'memory') throw audioTooComplexError()
    if (!end.error && ending === 'crash') throw brokenAudioError()
    const message = 'The audio process ended unexpectedly'
    throw new StepError('SPLITTER_LOST', message, { retryable: true, cause: end.error })
  }

  async function* readPieces(frames: AsyncIterable<Frame>, whole: Uint8Array): AsyncGenerator<SplitPiece | 'done'> {
    let parts: Buffer[] = []
    for await (const frame of frames) {
      if (frame.kind === CUT_FRAME.bytes) parts.push(frame.payload)
      else if (frame.kind === CUT_FRAME.piece) {
        const { whole: isWhole, ...piece } = pieceSchema.parse(parsePayload(frame))
        yield { ...piece, bytes: isWhole ? whole : Buffer.concat(parts) }
        parts = []
      } else if (frame.kind === CUT_FRAME.done) yield 'done'
      else throw toAudioError(frame)
    }
  }

  function toAudioError(frame: Frame): AudioError {
    const { code, message, detail } = failureSchema.parse(parsePayload(frame))
    log.debug({ code, detail }, 'splitting audio failed')
    return new AudioError(code, message)
  }

  return {
    async *split(audio, signal) {
      const release = await semaphore.acquire(signal)
      try {
        yield* cut(audio, signal)
      } finally {
        release()
      }
    },
  }
}
