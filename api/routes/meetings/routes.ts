import type { MeetingsService } from '../../../services/meetings/types.ts'
import { etag } from '../../routing/if-match.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { JobStreams } from '../../sse/job-streams.ts'
import { jobEvent } from '../jobs/events.ts'
import { resumePoint } from '../jobs/resume-point.ts'
import { streamQuery } from '../jobs/schemas.ts'
import { createRoute, listRoute, patchRoute, removeRoute, restoreRoute } from '../products/routes.ts'
import { productParams as params } from '../products/schemas.ts'
import { pageQuery } from '../resources/schemas.ts'
import * as schemas from './schemas.ts'

interface Deps {
  meetings: MeetingsService
  streams: JobStreams
}

const tag = 'Meetings'

/** Meetings: planned, listened to while they last, and what was said in them. */
export function meetingRoutes({ meetings, streams }: Deps): Route[] {
  const product = {
    path: '/v1/meetings',
    tag,
    one: 'a meeting',
    many: 'meetings',
    says: {
      list: { summary: 'List meetings, latest first' },
      create: { summary: 'Plan a meeting', description: 'It is live from its first piece of audio on.' },
      patch: { summary: 'Change what is said about a meeting', description: undefined },
    },
    service: meetings,
    schemas: {
      create: schemas.createBody,
      patch: schemas.changeBody,
      view: schemas.meeting,
      page: schemas.meetingPage,
      filter: pageQuery,
    },
  } as const

  const read = defineRoute({
    method: 'get',
    path: '/v1/meetings/:id',
    summary: 'Read a meeting',
    tag,
    auth: 'key',
    params,
    responses: { 200: { description: 'The meeting', schema: schemas.meeting } },
    async handler({ who, params }) {
      const meeting = await meetings.read(who, params.id)
      return ok(meeting, etag(meeting.version))
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

  return [
    listRoute(product),
    createRoute(product),
    read,
    patchRoute(product),
    removeRoute(product),
    restoreRoute(product),
    audio,
    end,
    transcript,
    stream,
  ]
}
