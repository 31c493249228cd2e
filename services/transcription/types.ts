import type { Principal } from '../../domain/principal.ts'
import type { ReceivedContent } from '../documents/types.ts'
import type { Idempotency } from '../jobs/types.ts'

/** Audio that came with a request, and what its sender says it is. */
export interface ReceivedAudio {
  content: ReceivedContent
  mime_type: string
}

export interface TranscriptionService {
  /**
   * Starts a job that writes audio down; its result is a Transcript. Throws Unavailable where no speech service is
   * configured, ValidationError, UnsupportedMediaType or PayloadTooLarge for what is no audio, Conflict for a key that
   * was used otherwise.
   */
  start(
    principal: Principal,
    audio: ReceivedAudio,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
}
