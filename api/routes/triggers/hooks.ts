import { z } from 'zod'
import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/triggers/hook.ts'
import { productParams as params } from '../../../contract/resources/product.ts'
import { line } from '../../../contract/shared/text.ts'
import { allowAll, allowWriters } from '../../routing/access.ts'
import { accepted, ok, type Reply } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { AppContext } from '../../routing/state.ts'
import type { Hooks } from '../../../services/triggers/hooks/hooks.ts'
import type { HookReply, HookRequest } from '../../../services/triggers/hooks/receive.ts'

const MAX_TOKEN_CHARS = 200

const publicParams = z.object({ token: line(MAX_TOKEN_CHARS).meta({ description: 'The token of the hook' }) })

const tag = 'Triggers'
const base = { tag, access: allowWriters('webhooks:manage'), params } as const
const conflict = { description: 'The trigger is not of the type webhook', schema: errorBody }

/** Hooks: the addresses of webhook triggers. */
export const hookRoutes = ({ hooks }: { hooks: Hooks }): Route[] => [...manageRoutes(hooks), receiveRoute(hooks)]

function manageRoutes(hooks: Hooks): Route[] {
  const read = defineRoute({
    ...base,
    name: 'triggers.hook',
    method: 'get',
    path: '/v1/triggers/:id/hook',
    summary: 'Read the state of a hook, without its secret parts',
    responses: { 200: { description: 'The hook', schema: schemas.hook }, 409: conflict },
    handler: async ({ principal, params }) => ok(await hooks.read(principal, params.id)),
  })

  const rotateToken = defineRoute({
    ...base,
    name: 'triggers.rotateToken',
    method: 'post',
    path: '/v1/triggers/:id/rotate-token',
    summary: 'Make the address of a hook, or replace it',
    description: 'The token is shown once. The one before stays valid for `overlap_hours`; older ones end at once.',
    body: schemas.rotateTokenBody,
    responses: { 200: { description: 'The hook with its new token', schema: schemas.hookToken }, 409: conflict },
    handler: async ({ principal, params, body }) =>
      ok(await hooks.rotateToken(principal, params.id, body.overlap_hours)),
  })

  const rotateSecret = defineRoute({
    ...base,
    name: 'triggers.rotateSecret',
    method: 'post',
    path: '/v1/triggers/:id/rotate-secret',
    summary: 'Set the secret of signatures of a hook, or replace it',
    description:
      'Signatures of the secret before are accepted for `overlap_hours`. A secret that was made is shown once; one that was sent is not shown again.',
    body: schemas.rotateSecretBody,
    responses: { 200: { description: 'The hook', schema: schemas.hookSecret }, 409: conflict },
    handler: async ({ principal, params, body: { secret, overlap_hours: overlapHours } }) =>
      ok(await hooks.rotateSecret(principal, params.id, { secret, overlapHours })),
  })

  return [read, rotateToken, rotateSecret]
}

const receiveRoute = (hooks: Hooks) =>
  defineRoute({
    name: 'public.receiveHook',
    method: 'post',
    path: '/v1/public/hooks/:token',
    summary: 'Send a request to a webhook trigger',
    description:
      'The body may be JSON, a form or anything else, of at most 1 MB after inflation. The signature is checked as the settings of the trigger say. ' +
      'Copies of one delivery start one run, and each response has the id of its job. After 409 and 429 the decision may change, and a repeat of the delivery is decided again.',
    tag,
    access: allowAll,
    params: publicParams,
    raw: true,
    responses: {
      200: {
        description:
          'The run has completed, for a hook that waits; or nothing was started, because the filter is false; or the response to a challenge',
        schema: schemas.hookAnswer,
      },
      202: { description: 'The run is started', schema: schemas.hookAccepted },
      401: { description: 'The signature does not fit, or is too old', schema: errorBody },
      409: { description: 'The trigger is paused, or its target cannot be started', schema: errorBody },
      502: { description: 'The run failed while the sender waited', schema: errorBody },
    },
    handler: async ({ params, ctx }) => presentReply(await hooks.receive(params.token, readRequest(ctx))),
  })

function readRequest(ctx: AppContext): HookRequest {
  const headers = Object.entries(ctx.req.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : value,
  ])
  return {
    headers: Object.fromEntries(headers) as HookRequest['headers'],
    query: Object.fromEntries(Object.entries(ctx.query).map(([name, value = '']) => [name, value])),
    body: ctx.state.rawBody ?? Buffer.alloc(0),
  }
}

function presentReply(reply: HookReply): Reply {
  const { type, ...body } = reply
  if (reply.type === 'answer') return ok(reply.body)
  if ('job_id' in body && type === 'accepted') return accepted(body)
  return ok(type === 'completed' ? { ...body, status: 'completed' } : { ...body, job_id: null })
}
