import {
  type AudioAddress,
  countPieces,
  deletePieceBytes,
  findPiece,
  findPieceBytes,
  listPieces,
  saveAnswer,
  savePiece,
  type StoredPiece,
} from '../../data/speech/audio-pieces-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { addUsage } from '../../data/access/usage-store.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { AudioFormat } from '../../domain/speech/audio.ts'
import { createSemaphore } from '../../domain/shared/fairness/semaphore.ts'
import { type AudioPiece, joinPieces, type PieceAnswer, type Transcript } from '../../domain/speech/transcript.ts'
import { orAborted } from '../../domain/shared/or-aborted.ts'
import type { SpendCheck } from '../agents/spend-check.ts'
import type { SpeechService } from './service.ts'
import type { Splitter } from './split/splitter.ts'

/** Small enough to convert without blocking the event loop. */
const SLICE_BYTES = 262_144

/** A job's audio: from a transcription job, a `transcribe` node, or a meeting piece. */
export interface JobAudio {
  job: JobRef
  key: string
  /** The spoken language, if known. */
  language?: string
}

export interface TranscriptionDeps {
  db: Database
  splitter: Splitter
  speech: Pick<SpeechService, 'transcribe'>
  /** The speech service's model, for the usage ledger. */
  model: string
  usdPerMinute: number
  /** Maximum number of concurrent requests per audio recording. */
  concurrency: number
  checkSpend: SpendCheck
}

/**
 * Transcribes audio: splits it, sends each piece once, stores the answers and joins them. Each step can be repeated,
 * even by another worker, because a piece with an answer is not sent again. Throws the errors of `Splitter` and
 * `SpeechService`.
 */
export interface Transcription {
  /** Stores the audio's pieces. */
  split(
    audio: JobAudio,
    source: { bytes: Uint8Array; format: AudioFormat },
    signal: AbortSignal,
  ): Promise<{ pieces: number; duration: number }>
  /** Transcribes a piece. Returns the number of completed pieces and the total. */
  transcribePiece(audio: JobAudio, ordinal: number, signal: AbortSignal): Promise<{ done: number; total: number }>
  /** Returns the transcript once all pieces have answers, and deletes the pieces' bytes. */
  join(audio: JobAudio): Promise<Transcript>
  /** Deletes the bytes of audio whose transcription is unfinished. */
  drop(audio: JobAudio): Promise<void>
  /** Runs all steps in order. */
  transcribe(
    audio: JobAudio,
    source: { bytes: Uint8Array; format: AudioFormat },
    signal: AbortSignal,
  ): Promise<Transcript>
}

export function createTranscription(deps: TranscriptionDeps): Transcription {
  const { db, splitter, speech, model, usdPerMinute, concurrency, checkSpend } = deps
  const inWorkspace = <T>({ job }: JobAudio, work: Parameters<typeof db.inWorkspace<T>>[1]) =>
    db.inWorkspace(job.workspace_id, work)

  const split: Transcription['split'] = async (audio, source, signal) => {
    let pieces = 0
    let duration = 0
    for await (const piece of splitter.split(source, signal)) {
      await inWorkspace(audio, tx => savePiece(tx, getAudioAddress(audio), piece))
      pieces++
      duration = piece.start + piece.duration
    }
    return { pieces, duration }
  }

  const transcribePiece: Transcription['transcribePiece'] = async (audio, ordinal, signal) => {
    const piece = await inWorkspace(audio, tx => findPiece(tx, getAudioAddress(audio), ordinal))
    if (!piece) throw new Error(`piece ${ordinal} of the audio does not exist`)
    if (!piece.answer) {
      await checkSpend(audio.job.workspace_id)
      const bytes = await readPieceBytes(audio, piece, signal)
      const answer = await orAborted(
        speech.transcribe({ bytes, format: piece.format, language: audio.language }, signal),
        signal,
      )
      await recordAnswer(audio, piece, answer)
    }
    return inWorkspace(audio, tx => countPieces(tx, getAudioAddress(audio)))
  }

  async function readPieceBytes(
    audio: JobAudio,
    { ordinal, size }: StoredPiece,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const whole = Buffer.allocUnsafeSlow(size ?? 0)
    for (let from = 0; from < whole.byteLength; from += SLICE_BYTES) {
      signal.throwIfAborted()
      const length = Math.min(SLICE_BYTES, whole.byteLength - from)
      const slice = await inWorkspace(audio, tx =>
        findPieceBytes(tx, getAudioAddress(audio), ordinal, { from, length }),
      )
      slice?.copy(whole, from)
    }
    if (whole.byteLength === 0) throw new Error(`the bytes of piece ${ordinal} no longer exist`)
    return whole
  }

  /** Stores the answer and its usage in one transaction, so that the usage is counted only once. */
  async function recordAnswer(audio: JobAudio, { ordinal, duration }: AudioPiece, answer: PieceAnswer): Promise<void> {
    const usage = { input_tokens: 0, output_tokens: 0, usd: (duration / 60) * usdPerMinute }
    await inWorkspace(audio, async tx => {
      if (!(await saveAnswer(tx, getAudioAddress(audio), ordinal, answer))) return
      await addUsage(tx, audio.job.job_id, {
        key: `${audio.key}/piece[${ordinal}]`,
        attempt: 1,
        usage,
        kind: 'transcription',
        model,
        audio_seconds: duration,
      })
    })
  }

  const join: Transcription['join'] = audio =>
    inWorkspace(audio, async tx => {
      const pieces = await listPieces(tx, getAudioAddress(audio))
      const answeredPieces = pieces.filter((piece): piece is AnsweredPiece => piece.answer !== null)
      if (answeredPieces.length < pieces.length) throw new Error('a piece of the audio has no answer yet')
      await deletePieceBytes(tx, getAudioAddress(audio))
      return joinPieces(answeredPieces)
    })

  async function transcribePieces(audio: JobAudio, pieces: number, caller: AbortSignal): Promise<void> {
    const failed = new AbortController()
    const signal = AbortSignal.any([caller, failed.signal])
    const semaphore = createSemaphore(concurrency)
    const all = Array.from({ length: pieces }, async (_, ordinal) => {
      const release = await semaphore.acquire(signal)
      await transcribePiece(audio, ordinal, signal).finally(release)
    })
    try {
      await Promise.all(all)
    } catch (error) {
      failed.abort(error)
      await Promise.allSettled(all)
      throw error
    }
  }

  const drop: Transcription['drop'] = audio => inWorkspace(audio, tx => deletePieceBytes(tx, getAudioAddress(audio)))

  const transcribe: Transcription['transcribe'] = async (audio, source, signal) => {
    try {
      const { pieces } = await split(audio, source, signal)
      await transcribePieces(audio, pieces, signal)
      return await join(audio)
    } catch (error) {
      // Another attempt will split the audio again. The original error matters more than leftover bytes.
      await drop(audio).catch(() => undefined)
      throw error
    }
  }

  return { split, transcribePiece, join, drop, transcribe }
}

type AnsweredPiece = AudioPiece & { answer: PieceAnswer }

const getAudioAddress = ({ job, key }: JobAudio): AudioAddress => ({ job_id: job.job_id, key })
