import type { MeetingsService } from '../../../services/meetings/types.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { JobStreams } from '../../sse/job-streams.ts'
import { jobEvent } from '../jobs/events.ts'
import { resumePoint } from '../jobs/resume-point.ts'
import { streamQuery } from '../jobs/schemas.ts'
import { pageQuery } from '../resources/schemas.ts'
import * as schemas from './schemas.ts'

interface Deps {
  meetings: MeetingsService
  streams: JobStreams
}

const tag = 'Meetings'
const { params } = schemas
const theMeeting = { description: 'The meeting', schema: schemas.meeting }

/** Meetings: planned, listened to while they last, and what was said in them. */
export function meetingRoutes({ meetings, streams }: Deps): Route[] {
  const list = defineRoute({
    method: 'get',
    path: '/v1/meetings',
    summary: 'List meetings, latest first',
    tag,
    auth: 'key',
    query: pageQuery,
    responses: { 200: { description: 'A page of meetings', schema: schemas.meetingPage } },
    async handler({ who, query }) {
      const { data, total } = await meetings.list(who, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    method: 'post',
    path: '/v1/meetings',
    summary: 'Plan a meeting',
    description: 'It is live from its first piece of audio on.',
    tag,
    auth: 'key',
    body: schemas.createBody,
    idempotent: true,
    responses: { 201: theMeeting },
    async handler({ who, body, idempotency }) {
      const meeting = await meetings.create(who, body, idempotency)
      return created(`/v1/meetings/${meeting.id}`, meeting)
    },
  })

  const read = defineRoute({
    method: 'get',
    path: '/v1/meetings/:id',
    summary: 'Read a meeting',
    tag,
    auth: 'key',
    params,
    responses: { 200: theMeeting },
    async handler({ who, params }) {
      const meeting = await meetings.read(who, params.id)
      return ok(meeting, etag(meeting.version))
    },
  })

  const change = defineRoute({
    method: 'patch',
    path: '/v1/meetings/:id',
    summary: 'Change what is said about a meeting',
    tag,
    auth: 'key',
    params,
    body: schemas.changeBody,
    conditional: true,
    responses: { 200: theMeeting },
    async handler({ who, params, body, ctx }) {
      const expected_version = expectedVersion(ctx, body.expected_version)
      const meeting = await meetings.change(who, params.id, { ...body, expected_version })
      return ok(meeting, etag(meeting.version))
    },
  })

  const remove = defineRoute({
    method: 'delete',
    path: '/v1/meetings/:id',
    summary: 'Delete a meeting; it can be restored',
    tag,
    auth: 'key',
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ who, params }) {
      await meetings.remove(who, params.id)
      return noContent()
    },
  })

  const audio = defineRoute({
    method: 'post',
    path: '/v1/meetings/:id/audio',
    summary: 'Send a piece of the audio of a meeting',
    description:
      'Each piece is a file of its own. Pieces may come in any order and more than once: the same bytes under the same `seq` are the same piece, other bytes take its place, until the meeting ends. ' +
      'What is heard comes as a `segment` event of the stream of the meeting.',
    tag,
    auth: 'key',
    params,
    body: schemas.audioBody,
    audio: true,
    responses: { 202: { description: 'The piece is taken', schema: schemas.taken } },
    async handler({ who, params, body }) {
      const { audio_base64: content, ...piece } = body
      return { status: 202, body: await meetings.hear(who, params.id, { content, ...piece }) }
    },
  })

  const end = defineRoute({
    method: 'post',
    path: '/v1/meetings/:id/end',
    summary: 'End a meeting',
    description:
      'No more audio is taken. Once every piece is heard, the transcript is written into the meeting and as an artifact. 202 says that this takes longer: the stream tells when it is done.',
    tag,
    auth: 'key',
    params,
    responses: {
      200: { description: 'The meeting has ended', schema: schemas.ending },
      202: { description: 'It ends once every piece is heard', schema: schemas.ending },
    },
    async handler({ who, params }) {
      const { meeting, job_id, ended } = await meetings.end(who, params.id)
      return { status: ended ? 200 : 202, body: { meeting, job_id } }
    },
  })

  const transcript = defineRoute({
    method: 'get',
    path: '/v1/meetings/:id/transcript',
    summary: 'Read what was said so far',
    tag,
    auth: 'key',
    params,
    responses: { 200: { description: 'The transcript', schema: schemas.transcript } },
    handler: async ({ who, params }) => ok(await meetings.transcript(who, params.id)),
  })

  const stream = defineRoute({
    method: 'get',
    path: '/v1/meetings/:id/stream',
    summary: 'Follow a meeting',
    description:
      'Server-sent events as of a job: a `segment` for each piece that was heard, in the order in which they were, `ended` with the transcript, then `complete`. A piece that was replaced comes again. ' +
      'It can be opened before anything is said. To resume, pass the last id as `after` or as `Last-Event-ID`.',
    tag,
    auth: 'key',
    params,
    query: streamQuery,
    responses: { 200: { description: 'The events', schema: jobEvent, mediaType: 'text/event-stream' } },
    async handler({ who, params, query, ctx }) {
      const after = resumePoint(ctx, query.after)
      await streams.serve(ctx, who, await meetings.streamOf(who, params.id), after)
      return 'streamed'
    },
  })

  return [list, create, read, change, remove, audio, end, transcript, stream]
}
