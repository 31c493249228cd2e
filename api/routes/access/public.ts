import { z } from 'zod'
import { runAccepted } from '../../../contract/agents/conversation.ts'
import { jobParams } from '../../../contract/runs/control.ts'
import * as schemas from '../../../contract/access/sharing.ts'
import { publicEvent } from '../../../contract/access/public-event.ts'
import { fileBody, fileForm, fileRef } from '../../../contract/documents/file.ts'
import { line } from '../../../contract/shared/text.ts'
import type { Sharing } from '../../../services/access/sharing.ts'
import { allowShares } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import type { SseServer } from '../../sse/sse-server.ts'
import { ABOUT_DOWNLOAD, downloadReply, downloadResponses } from '../documents/download.ts'
import { ABOUT_UPLOAD, toFileUpload } from '../documents/files.ts'
import { resumePoint } from '../runs/jobs/resume-point.ts'
import { createPresentPublic } from './public-events.ts'

const invokeParams = z.object({ workspace_slug: line(100), slug: line() })
const traceParams = z.object({ id: z.uuid() })
const threadFileParams = traceParams.extend({ file_id: z.uuid() })

interface Services {
  sharing: Sharing
}

const tag = 'Public'
const access = allowShares
const startResponses = { 202: { description: 'The message was accepted', schema: runAccepted } }

/** Routes for people without an account, who use a share token. */
export function publicRoutes({ sharing }: Services, { streams }: { streams: SseServer }): Route[] {
  const invoke = defineRoute({
    name: 'public.invokeReceptor',
    method: 'post',
    path: '/v1/public/receptors/:workspace_slug/:slug/invoke',
    summary: 'Send a message to a shared receptor',
    description:
      'The token needs the right `write`. To get the answer, stream the run and read the thread. While a task in the thread is waiting for your answer, the thread accepts no messages.',
    tag,
    access,
    params: invokeParams,
    query: schemas.tokenQuery,
    body: schemas.sharedInvokeBody,
    idempotent: true,
    responses: startResponses,
    async handler({ caller, params, body, idempotency }) {
      const { message, files, trace_id } = body
      return accepted(await sharing.invoke(caller, params, { message, files, trace_id }, idempotency))
    },
  })

  const read = defineRoute({
    name: 'public.getTrace',
    method: 'get',
    path: '/v1/public/traces/:id',
    summary: 'Read a shared thread',
    description:
      "The token needs the right `read`. Returns the thread's messages, oldest first, without tool calls. `tasks` lists the tasks that runs in the thread assign to you.",
    tag,
    access,
    params: traceParams,
    query: schemas.sharedTraceQuery,
    responses: { 200: { description: 'The thread', schema: schemas.sharedTrace } },
    async handler({ caller, params, query }) {
      const { total, ...thread } = await sharing.readTrace(caller, params.id, query)
      return ok({ ...thread, pagination: page(thread.messages, total, query).pagination })
    },
  })

  const send = defineRoute({
    name: 'public.continueTrace',
    method: 'post',
    path: '/v1/public/traces/:id',
    summary: 'Send a message to a shared thread',
    description:
      'The token needs the right `write`. While a task in the thread is waiting for your answer, the thread accepts no messages.',
    tag,
    access,
    params: traceParams,
    query: schemas.tokenQuery,
    body: schemas.sharedMessageBody,
    idempotent: true,
    responses: startResponses,
    handler: async ({ caller, params, body, idempotency }) =>
      accepted(await sharing.continueTrace(caller, params.id, body, idempotency)),
  })

  const stream = defineRoute({
    name: 'public.streamJob',
    method: 'get',
    path: '/v1/public/jobs/:jobId/stream',
    summary: 'Stream a job in a shared thread',
    description:
      'Server-sent events of the types `token`, `attempt_reset`, `status`, `task`, `gap`, `complete` and `error`, without nodes and causes. A `task` event reports a task that is assigned to you. The token needs the right `read`.',
    tag,
    access,
    params: jobParams,
    query: schemas.sharedStreamQuery,
    responses: {
      200: { description: 'The events', schema: publicEvent, mediaType: 'text/event-stream' },
      204: {
        description:
          'The run has ended, and the reconnecting client, which sent `Last-Event-ID`, has already received all events',
      },
    },
    async handler({ caller, principal, params, query, ctx }) {
      const { jobId } = params
      const tasks = await sharing.openStream(caller, jobId, query.trace)
      const viewer = { actor: principal.actor, tasks: tasks.map(({ interventionId }) => interventionId) }
      await streams.serve(ctx, principal, jobId, resumePoint(ctx, query.after), createPresentPublic(jobId, viewer))
      return 'streamed'
    },
  })

  const answer = defineRoute({
    name: 'public.answer',
    method: 'post',
    path: '/v1/public/jobs/:jobId/input',
    summary: 'Answer a task in a shared thread',
    description:
      "Accepts the same body as `POST /v1/jobs/:jobId/input`, plus the token and the thread. The token needs the right `write`. Other people's tasks return 404. A task that is already answered or closed returns 409.",
    tag,
    access,
    params: jobParams,
    query: schemas.tokenQuery,
    body: schemas.sharedInputBody,
    idempotent: true,
    responses: { 200: { description: 'The answer was accepted', schema: schemas.sharedReply } },
    async handler({ caller, params, body, idempotency }) {
      const { interventionId, type: _, ...personAnswer } = body.input
      const task = { job_id: params.jobId, trace_id: body.trace, interventionId }
      return ok(await sharing.answer(caller, task, personAnswer, idempotency))
    },
  })

  const uploadFile = defineRoute({
    name: 'public.uploadFile',
    method: 'post',
    path: '/v1/public/files',
    summary: 'Upload a file for a shared thread',
    description: `The token needs the right \`write\`. Send the token as \`t\` in the query or as a header. ${ABOUT_UPLOAD}`,
    tag,
    access,
    query: schemas.tokenQuery,
    body: fileBody,
    form: fileForm,
    responses: { 201: { description: 'The file was stored', schema: fileRef } },
    async handler({ caller, body }) {
      const { id, file_name, media_type, size } = await sharing.uploadFile(caller, toFileUpload(body))
      return { status: 201, body: { id, file_name, media_type, size } }
    },
  })

  const readFile = defineRoute({
    name: 'public.fileContent',
    method: 'get',
    path: '/v1/public/traces/:id/files/:file_id/content',
    summary: 'Download a file of a shared thread',
    description: `The token needs the right \`read\`. ${ABOUT_DOWNLOAD}`,
    tag,
    access,
    params: threadFileParams,
    query: schemas.tokenQuery,
    responses: downloadResponses,
    handler: async ({ caller, params, ctx }) =>
      downloadReply(ctx, await sharing.readFile(caller, params.id, params.file_id)),
  })

  return [invoke, read, send, stream, answer, uploadFile, readFile]
}
