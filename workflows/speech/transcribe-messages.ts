import type { JobRef } from '../../domain/runs/jobs.ts'
import type { AudioRef } from '../../domain/speech/audio.ts'

export const TRANSCRIBE_WORKFLOW = 'transcribe'

export interface TranscribeRunInput {
  job: JobRef
  audio: AudioRef
  requester: string
  /** Limits one request to the speech service. */
  time_limit_ms: number
  /** Requests to the speech service at a time. */
  concurrency: number
}
