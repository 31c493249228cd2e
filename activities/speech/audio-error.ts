import { StepError } from '../../domain/runs/step-error.ts'

export const AUDIO_ERROR_CODES = [
  'AUDIO_BROKEN',
  'AUDIO_EMPTY',
  'AUDIO_TOO_LONG',
  'AUDIO_TOO_COMPLEX',
  'AUDIO_UNSUPPORTED',
] as const

export type AudioErrorCode = (typeof AUDIO_ERROR_CODES)[number]

/** The reason why audio cannot be transcribed. Not retryable, because the same bytes would fail again. */
export class AudioError extends StepError {
  declare readonly code: AudioErrorCode

  constructor(code: AudioErrorCode, message: string, cause?: unknown) {
    super(code, message, { retryable: false, cause })
    this.name = 'AudioError'
  }
}

export const brokenAudioError = (cause?: unknown) => new AudioError('AUDIO_BROKEN', 'The audio is damaged', cause)

export const audioTooComplexError = () =>
  new AudioError('AUDIO_TOO_COMPLEX', 'Splitting the audio exceeded the time or memory limit')
