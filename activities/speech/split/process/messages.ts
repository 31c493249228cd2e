import type { CutLimits } from '../../../../domain/speech/audio-split.ts'
import type { AudioFormat, PieceFormat } from '../../../../domain/speech/audio.ts'
import type { AudioPiece } from '../../../../domain/speech/transcript.ts'

export interface CutJob {
  format: AudioFormat
  limits: CutLimits
  /** Maximum duration of the entire audio. */
  maxSeconds: number
}

/**
 * Kinds of frames that the process sends: bytes and then a description for each piece, and finally `done` or
 * `failure`.
 */
export const CUT_FRAME = { bytes: 1, piece: 2, done: 3, failure: 4 } as const

/** `whole` is true if the audio was not split, so that the piece has the same bytes as the audio. */
export type CutPiece = AudioPiece & { format: PieceFormat; whole?: boolean }
