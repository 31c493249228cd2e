import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { AudioFormat } from '../../../domain/speech/audio.ts'
import { AUDIO_FORMATS } from '../../../domain/speech/audio.ts'
import { type CutLimits, PIECES } from '../../../domain/speech/cuts.ts'
import { startDeadline } from '../../deadline.ts'
import { type Frame, readFrames } from '../../documents/extract/process/frames.ts'
import { endingOf } from '../../documents/extract/process/signals.ts'
import { encodeJob, OUT } from '../../documents/extract/process/wire.ts'
import { createSlots } from '../../documents/extract/slots.ts'
import { endOf, onAbort, startIsolated } from '../../isolated-process.ts'
import { StepError } from '../../step-error.ts'
import { AUDIO_ERROR_CODES, AudioError, damaged, tooComplex } from '../audio-error.ts'
import { CUT_FRAME, type CutJob, type CutPiece } from './process/messages.ts'

/** A piece of an audio, as a file of its own. */
export type SplitPiece = Omit<CutPiece, 'whole'> & { bytes: Uint8Array }

export interface Splitter {
  /**
   * Cuts an audio into pieces, in their order; the same audio is cut at the same places. Throws AudioError, the signal's
   * reason, or a retryable StepError (SPLITTER_LOST) where its process was ended from outside. What is not taken of the
   * pieces is not cut.
   */
  split(audio: { bytes: Uint8Array; format: AudioFormat }, signal: AbortSignal): AsyncGenerator<SplitPiece>
}

export interface SplitterSettings {
  /** Seconds an audio may have. */
  longest: number
  log: Logger
  limits?: CutLimits
  /** Of one audio, without the wait for its turn. */
  timeoutMs?: number
  /** Beside the audio itself. */
  memoryBytes?: number
  /** Audios that are cut at the same time; others queue. */
  concurrency?: number
}

const MAIN = fileURLToPath(new URL('process/main.ts', import.meta.url))
const MB = 1_048_576

const pieceSchema = z.object({
  ordinal: z.int(),
  start: z.number(),
  duration: z.number(),
  format: z.enum(AUDIO_FORMATS),
  whole: z.boolean().optional(),
})
const failureSchema = z.object({ code: z.enum(AUDIO_ERROR_CODES), message: z.string(), detail: z.string().optional() })

/** Cuts audio, each in a process of its own: what comes from anywhere can take the time and memory of that one only. */
export function createSplitter(settings: SplitterSettings): Splitter {
  const { longest, log, limits = PIECES, timeoutMs = 120_000, memoryBytes = 400 * MB, concurrency = 2 } = settings
  const slots = createSlots(concurrency)

  async function* cut(audio: { bytes: Uint8Array; format: AudioFormat }, signal: AbortSignal) {
    const { bytes, format } = audio
    const job: CutJob = { format, limits, longest, memoryBytes: memoryBytes + 2 * bytes.length, bytes: bytes.length }
    const child = start(job.memoryBytes)
    const ended = endOf(child)
    const deadline = startDeadline(timeoutMs, signal)
    onAbort(deadline.signal, () => child.kill('SIGKILL'))
    child.stdin?.write(encodeJob(job))
    child.stdin?.end(bytes)
    let isDone = false
    try {
      for await (const said of piecesOf(child, bytes)) {
        isDone = said === 'done'
        if (said !== 'done') yield said
      }
    } catch (error) {
      // What it said before it was ended may end anywhere.
      if (error instanceof AudioError) throw error
    } finally {
      deadline.done()
      child.kill('SIGKILL')
      await ended
    }
    if (isDone) return
    const end = await ended
    if (deadline.expired()) throw tooComplex()
    signal.throwIfAborted()
    const ending = endingOf(end.signal)
    log.warn({ format, ending, ...end, err: end.error }, 'audio process ended unexpectedly')
    throw ending === 'memory' ? tooComplex() : ending === 'crash' ? damaged() : lost(end.error)
  }

  async function* piecesOf(child: ChildProcess, whole: Uint8Array): AsyncGenerator<SplitPiece | 'done'> {
    let parts: Buffer[] = []
    for await (const frame of readFrames(child.stdio[OUT] as Readable)) {
      if (frame.kind === CUT_FRAME.bytes) parts.push(frame.payload)
      else if (frame.kind === CUT_FRAME.piece) {
        const { whole: isWhole, ...piece } = pieceSchema.parse(jsonOf(frame))
        yield { ...piece, bytes: isWhole ? whole : Buffer.concat(parts) }
        parts = []
      } else if (frame.kind === CUT_FRAME.done) yield 'done'
      else throw failureOf(frame)
    }
  }

  function failureOf(frame: Frame): AudioError {
    const { code, message, detail } = failureSchema.parse(jsonOf(frame))
    log.debug({ code, detail }, 'splitting audio failed')
    return new AudioError(code, message)
  }

  return {
    async *split(audio, signal) {
      const giveBack = await slots.take(signal)
      try {
        yield* cut(audio, signal)
      } finally {
        giveBack()
      }
    },
  }
}

function start(memoryBytes: number): ChildProcess {
  try {
    return startIsolated(MAIN, memoryBytes)
  } catch (error) {
    throw lost(error)
  }
}

const jsonOf = ({ payload }: Frame): unknown => JSON.parse(payload.toString())

const lost = (cause?: unknown) =>
  new StepError('SPLITTER_LOST', 'The audio process ended unexpectedly', { retryable: true, cause })
