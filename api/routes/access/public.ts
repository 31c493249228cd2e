import { z } from 'zod'
import { runAccepted } from '../../../contract/agents/conversation.ts'
import { jobParams } from '../../../contract/runs/control.ts'
import * as schemas from '../../../contract/access/sharing.ts'
import { publicEvent } from '../../../contract/access/public-event.ts'
import { line } from '../../../contract/shared/text.ts'
import type { Sharing } from '../../../services/access/sharing.ts'
import { allowShares } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import type { SseServer } from '../../sse/sse-server.ts'
import { resumePoint } from '../runs/jobs/resume-point.ts'
import { createPresentPublic } from './public-events.ts'

const invokeParams = z.object({ workspace_slug: line(100), slug: line() })
const traceParams = z.object({ id: z.uuid() })

interface Services {
  sharing: Sharing
}

const tag = 'Public'
const access = allowShares
const startResponses = { 202: { description: 'The message is accepted', schema: runAccepted } }

/** Routes for people without an account, which a share token opens. */
export function publicRoutes({ sharing }: Services, { streams }: { streams: SseServer }): Route[] {
  const invoke = defineRoute({
    name: 'public.invokeReceptor',
    method: 'post',
    path: '/v1/public/receptors/:workspace_slug/:slug/invoke',
    summary: 'Send a message to the receptor of a share token',
    description:
      'The token needs the right `write`. Follow the run by its stream, and read the thread. A thread that waits for your answer to a task takes no message.',
    tag,
    access,
    params: invokeParams,
    query: schemas.tokenQuery,
    body: schemas.sharedInvokeBody,
    idempotent: true,
    responses: startResponses,
    async handler({ caller, params, body, idempotency }) {
      const { message, trace_id } = body
      return accepted(await sharing.invoke(caller, params, { message, trace_id }, idempotency))
    },
  })

  const read = defineRoute({
    name: 'public.getTrace',
    method: 'get',
    path: '/v1/public/traces/:id',
    summary: 'Read a thread of a share token, oldest message first',
    description:
      'The token needs the right `read`. Returns the messages of the thread without tool calls. `tasks` lists the questions of its runs to you.',
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
    summary: 'Send a message to a thread of a share token',
    description: 'The token needs the right `write`. A thread that waits for your answer to a task takes no message.',
    tag,
    access,
    params: traceParams,
    query: schemas.tokenQuery,
    body: schemas.sharedMessageBody,
    idempotent: true,
    responses: startResponses,
    handler: async ({ caller, params, body, idempotency }) =>
      accepted(await sharing.continueTrace(caller, params.id, body.message, idempotency)),
  })

  const stream = defineRoute({
    name: 'public.streamJob',
    method: 'get',
    path: '/v1/public/jobs/:jobId/stream',
    summary: 'Stream the answer of a job of a shared thread',
    description:
      'Server-sent events of the types `token`, `attempt_reset`, `status`, `task`, `gap`, `complete` and `error`, without nodes and causes. `task` is about what the run asks you. The token needs the right `read`.',
    tag,
    access,
    params: jobParams,
    query: schemas.sharedStreamQuery,
    responses: {
      200: { description: 'The events', schema: publicEvent, mediaType: 'text/event-stream' },
      204: { description: 'The run has ended, and the client that reconnects with `Last-Event-ID` has all events' },
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
    summary: 'Answer what a job of a shared thread asks the visitor',
    description:
      'The body is that of `POST /v1/jobs/:jobId/input`, with the token and the thread. The token needs the right `write`. Tasks of others do not exist here (404). A task that is answered or closed takes no other answer (409).',
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

  return [invoke, read, send, stream, answer]
}
