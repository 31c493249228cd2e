import type { Principal } from '../../../domain/access/principal.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type { ReceivedContent } from '../../../contract/shared/upload.ts'

/** Audio of a request, with its declared media type. */
export interface ReceivedAudio {
  content: ReceivedContent
  mime_type: string
  /** The field of the request with the bytes. The type of a file may be empty or `application/octet-stream`. */
  from?: 'audio_base64' | 'file'
  /** The language that is spoken, if it is known. */
  language?: string
}

export interface TranscriptionService {
  /**
   * Starts a job that transcribes audio and has a Transcript as result. Throws Unavailable without a speech service,
   * ValidationError or PayloadTooLarge for unusable audio, and Conflict for a key that was used
   * for another request.
   */
  start(
    principal: Principal,
    audio: ReceivedAudio,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
}
