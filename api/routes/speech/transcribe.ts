import type { z } from 'zod'
import * as schemas from '../../../contract/speech/transcription.ts'
import { jobAccepted } from '../../../contract/runs/control.ts'
import { allowWriters } from '../../routing/access.ts'
import { accepted } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { ReceivedAudio } from '../../../services/speech/inspect-audio.ts'
import type { TranscriptionService } from '../../../services/speech/transcription.ts'

interface Deps {
  transcription: TranscriptionService
}

/** Routes for speech-to-text. */
export function transcribeRoutes({ transcription }: Deps): Route[] {
  const start = defineRoute({
    name: 'transcribe.start',
    method: 'post',
    path: '/v1/transcribe',
    summary: 'Transcribe audio',
    description:
      'Starts a job with the result `{text, language?, duration_seconds, segments[{start, end, text}]}`. ' +
      "Times are in seconds. Long audio is split into pieces. The job's `progress` and the `progress` " +
      'events in its stream count them. The maximum size is `limits.audio_bytes` in `GET /v1/config`.',
    tag: 'Speech',
    access: allowWriters('jobs:start'),
    body: schemas.transcribeBody,
    form: schemas.transcribeForm,
    audio: true,
    idempotent: true,
    responses: { 202: { description: 'The job was accepted', schema: jobAccepted } },
    async handler({ principal, body, idempotency }) {
      return accepted(await transcription.start(principal, readAudio(body), idempotency))
    },
  })

  return [start]
}

/** Returns the audio and its media type. If a form specifies no type, the type of its file is used. */
function readAudio(
  body: z.output<typeof schemas.transcribeBody> | z.output<typeof schemas.transcribeForm>,
): ReceivedAudio {
  const { mime_type = '', language } = body
  return 'file' in body
    ? { content: body.file, from: 'file', mime_type, language }
    : { content: body.audio_base64, from: 'audio_base64', mime_type, language }
}
