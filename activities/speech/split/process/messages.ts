import type { CutLimits } from '../../../../domain/speech/cuts.ts'
import type { AudioFormat } from '../../../../domain/speech/audio.ts'
import type { AudioPiece } from '../../../../domain/speech/transcript.ts'

/** What the process that cuts an audio is asked. */
export interface CutJob {
  format: AudioFormat
  limits: CutLimits
  /** Seconds the whole may have. */
  longest: number
  memoryBytes: number
  bytes: number
}

/** What it says: of each piece its bytes, then what it is; at the end that it is done, or why it is not. */
export const CUT_FRAME = { bytes: 1, piece: 2, done: 3, failure: 4 } as const

/** `whole`: nothing was cut, the bytes are those that came. */
export type CutPiece = AudioPiece & { format: AudioFormat; whole?: boolean }
