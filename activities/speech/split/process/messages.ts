import type { CutLimits } from '../../../../domain/speech/audio-split.ts'
import type { AudioFormat, PieceFormat } from '../../../../domain/speech/audio.ts'
import type { AudioPiece } from '../../../../domain/speech/transcript.ts'

export interface CutJob {
  format: AudioFormat
  limits: CutLimits
  /** Of the whole audio. */
  maxSeconds: number
}

/** Kinds of frames that the process sends: for each piece its bytes, then its description; at the end `done` or `failure`. */
export const CUT_FRAME = { bytes: 1, piece: 2, done: 3, failure: 4 } as const

/** `whole`: the audio was not cut, and its own bytes are the piece's. */
export type CutPiece = AudioPiece & { format: PieceFormat; whole?: boolean }
