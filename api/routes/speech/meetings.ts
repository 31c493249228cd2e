import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import { jobEvent, streamQuery } from '../../../contract/runs/event.ts'
import * as schemas from '../../../contract/speech/meeting.ts'
import { productParams as params } from '../../../contract/resources/product.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import type { SseServer } from '../../sse/sse-server.ts'
import { resumePoint } from '../runs/jobs/resume-point.ts'
import { productRoutes } from '../resources/products.ts'
import type { MeetingsService } from '../../../services/speech/meetings/meetings.ts'

interface Services {
  meetings: MeetingsService
}

const tag = 'Meetings'

/** Routes for meetings, their audio and their transcripts. */
export function meetingRoutes({ meetings }: Services, { meetingStreams }: { meetingStreams: SseServer }): Route[] {
  const product = {
    path: '/v1/meetings',
    tag,
    one: 'a meeting',
    many: 'meetings',
    says: {
      list: { summary: 'List meetings, latest first' },
      create: {
        summary: 'Create a meeting',
        description: 'The meeting goes live when its first piece of audio arrives.',
      },
      patch: { summary: 'Update a meeting', description: undefined },
    },
    service: meetings,
    schemas: {
      create: schemas.meetingBody,
      patch: schemas.meetingChange,
      view: schemas.meeting,
      page: schemas.meetingPage,
      filter: pageQuery,
    },
  } as const

  const audio = defineRoute({
    name: 'meetings.addAudio',
    method: 'post',
    path: '/v1/meetings/:id/audio',
    summary: 'Upload a piece of audio',
    description:
      'Each piece is a complete audio file. You can send pieces in any order and more than once. Sending ' +
      'the same bytes with the same `seq` again has no effect. Different bytes replace the piece until the ' +
      'meeting ends. The transcript of each piece is sent as a `segment` event in the meeting stream.',
    tag,
    access: allowWriters('resources:write'),
    params,
    body: schemas.audioBody,
    audio: true,
    responses: {
      202: { description: 'The piece was accepted', schema: schemas.acceptedPiece },
      409: { description: 'The meeting no longer accepts audio', schema: errorBody },
    },
    async handler({ principal, params, body }) {
      const { audio_base64: content, ...piece } = body
      return { status: 202, body: await meetings.addAudio(principal, params.id, { content, ...piece }) }
    },
  })

  const end = defineRoute({
    name: 'meetings.end',
    method: 'post',
    path: '/v1/meetings/:id/end',
    summary: 'End a meeting',
    description:
      'The meeting no longer accepts audio. After all pieces are transcribed, the transcript is saved in the meeting and as an artifact. 202 means that transcription is still in progress; the stream reports its completion.',
    tag,
    access: allowWriters('resources:write'),
    params,
    responses: {
      200: { description: 'The meeting has ended', schema: schemas.meetingEnding },
      202: { description: 'The meeting ends after all pieces are transcribed', schema: schemas.meetingEnding },
    },
    async handler({ principal, params }) {
      const { meeting, job_id, ended: hasEnded } = await meetings.end(principal, params.id)
      return { status: hasEnded ? 200 : 202, body: { meeting, job_id } }
    },
  })

  const transcript = defineRoute({
    name: 'meetings.transcript',
    method: 'get',
    path: '/v1/meetings/:id/transcript',
    summary: 'Read the current transcript',
    tag,
    access: allowReaders('resources:read'),
    params,
    responses: { 200: { description: 'The transcript', schema: schemas.meetingTranscript } },
    handler: async ({ principal, params }) => ok(await meetings.transcript(principal, params.id)),
  })

  const stream = defineRoute({
    name: 'meetings.stream',
    method: 'get',
    path: '/v1/meetings/:id/stream',
    summary: 'Stream the events of a meeting',
    description:
      'Server-sent events in the format of a job stream. Each transcribed piece is a `segment` event, in ' +
      'order of transcription. An `ended` event then contains the transcript, and `complete` follows. If a ' +
      'piece is replaced, its `segment` event is sent again. You can open the stream before the first ' +
      'piece. To resume, pass the last id as `after` or as `Last-Event-ID`.',
    tag,
    access: allowReaders('resources:read'),
    params,
    query: streamQuery,
    responses: {
      200: { description: 'The events', schema: jobEvent, mediaType: 'text/event-stream' },
      204: {
        description:
          'The run has ended, and the reconnecting client, which sent `Last-Event-ID`, has already received all events',
      },
    },
    async handler({ principal, params, query, ctx }) {
      const after = resumePoint(ctx, query.after)
      await meetingStreams.serve(ctx, principal, await meetings.openStream(principal, params.id), after)
      return 'streamed'
    },
  })

  return [...productRoutes(product), audio, end, transcript, stream]
}
