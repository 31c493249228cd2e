import type { TranscriptionService } from '../../../services/transcription/types.ts'
import { accepted } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { jobAccepted } from '../jobs/schemas.ts'
import * as schemas from './schemas.ts'

interface Deps {
  transcription: TranscriptionService
}

/** Speech to text. */
export function transcribeRoutes({ transcription }: Deps): Route[] {
  const start = defineRoute({
    method: 'post',
    path: '/v1/transcribe',
    summary: 'Write down what is said in an audio',
    description:
      "Starts a job; its `result` is `{text, language?, duration_seconds, segments[{start, end, text}]}`, with times in seconds. Long audio is cut into pieces; the job's `progress` and `progress` events of its stream count them. " +
      'The limit of size is its own: `limits.audio_bytes` of GET /v1/config.',
    tag: 'Speech',
    auth: 'key',
    body: schemas.transcribeBody,
    audio: true,
    idempotent: true,
    responses: { 202: { description: 'The job is accepted', schema: jobAccepted } },
    async handler({ who, body, idempotency }) {
      const { audio_base64: content, mime_type } = body
      return accepted(await transcription.start(who, { content, mime_type }, idempotency))
    },
  })

  return [start]
}
