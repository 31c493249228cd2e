import type { JobRef } from '../../domain/runs/jobs.ts'
import type { AudioRef } from '../../domain/speech/audio.ts'

export const TRANSCRIBE_WORKFLOW = 'transcribe'

export interface TranscribeRunInput {
  job: JobRef
  audio: AudioRef
  requester: string
  /** Time limit of one request to the speech service. */
  time_limit_ms: number
  /** Maximum number of concurrent requests to the speech service. */
  concurrency: number
}
