import type { Sharing } from '../../../services/sharing/sharing.ts'
import { allowShares } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { SseServer } from '../../sse/sse-server.ts'
import { runAccepted } from '../conversations/schemas.ts'
import { resumePoint } from '../jobs/resume-point.ts'
import { jobParams } from '../jobs/schemas.ts'
import { createPresentPublic, publicEvent } from './events.ts'
import * as schemas from './schemas.ts'

interface Deps {
  sharing: Sharing
  streams: SseServer
}

const tag = 'Public'
const access = allowShares
const started = { 202: { description: 'The message is accepted', schema: runAccepted } }

/** Routes for people without an account, which a share token opens. */
export function publicRoutes({ sharing, streams }: Deps): Route[] {
  const invoke = defineRoute({
    name: 'public.invokeReceptor',
    method: 'post',
    path: '/v1/public/receptors/:workspace_slug/:slug/invoke',
    summary: 'Send a message to the receptor of a share token',
    description: 'The token needs the right `write`. Follow the run by its stream, and read the thread.',
    tag,
    access,
    params: schemas.invokeParams,
    query: schemas.tokenQuery,
    body: schemas.invokeBody,
    idempotent: true,
    responses: started,
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
    description: 'The token needs the right `read`. The thread has what was said, without the work behind it.',
    tag,
    access,
    params: schemas.traceParams,
    query: schemas.sharedTraceQuery,
    responses: { 200: { description: 'The thread', schema: schemas.sharedTrace } },
    async handler({ caller, params, query }) {
      const { trace, messages, total } = await sharing.readTrace(caller, params.id, query)
      return ok({ trace, messages, pagination: page(messages, total, query).pagination })
    },
  })

  const send = defineRoute({
    name: 'public.continueTrace',
    method: 'post',
    path: '/v1/public/traces/:id',
    summary: 'Send a message to a thread of a share token',
    description: 'The token needs the right `write`.',
    tag,
    access,
    params: schemas.traceParams,
    query: schemas.tokenQuery,
    body: schemas.messageBody,
    idempotent: true,
    responses: started,
    handler: async ({ caller, params, body, idempotency }) =>
      accepted(await sharing.continueTrace(caller, params.id, body.message, idempotency)),
  })

  const stream = defineRoute({
    name: 'public.streamJob',
    method: 'get',
    path: '/v1/public/jobs/:jobId/stream',
    summary: 'Stream the answer of a job of a shared thread',
    description:
      'Server-sent events of the types `token`, `attempt_reset`, `gap`, `complete` and `error`, without nodes and causes. The token is in `share`. It needs the right `read`.',
    tag,
    access,
    params: jobParams,
    query: schemas.sharedStreamQuery,
    responses: {
      200: { description: 'The events', schema: publicEvent, mediaType: 'text/event-stream' },
      204: { description: 'The run has ended, and the client that reconnects with `Last-Event-ID` has all events' },
    },
    async handler({ caller, principal, params, query, ctx }) {
      await sharing.checkStream(caller, params.jobId, query.trace)
      const { jobId } = params
      await streams.serve(ctx, principal, jobId, resumePoint(ctx, query.after), createPresentPublic(jobId))
      return 'streamed'
    },
  })

  return [invoke, read, send, stream]
}
