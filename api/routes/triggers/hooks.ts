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

const publicParams = z.object({ token: line(MAX_TOKEN_CHARS).meta({ description: 'Token of the webhook trigger' }) })

const tag = 'Triggers'
const base = { tag, access: allowWriters('webhooks:manage'), params } as const
const conflict = { description: 'The trigger is not a webhook trigger', schema: errorBody }

/** Routes for hooks, the addresses of webhook triggers. */
export const hookRoutes = ({ hooks }: { hooks: Hooks }): Route[] => [...manageRoutes(hooks), receiveRoute(hooks)]

function manageRoutes(hooks: Hooks): Route[] {
  const read = defineRoute({
    ...base,
    name: 'triggers.hook',
    method: 'get',
    path: '/v1/triggers/:id/hook',
    summary: 'Read the state of a hook',
    responses: { 200: { description: 'The hook', schema: schemas.hook }, 409: conflict },
    handler: async ({ principal, params }) => ok(await hooks.read(principal, params.id)),
  })

  const rotateToken = defineRoute({
    ...base,
    name: 'triggers.rotateToken',
    method: 'post',
    path: '/v1/triggers/:id/rotate-token',
    summary: 'Create or replace a hook address',
    description:
      'The token is shown only once. The previous token remains valid for `overlap_hours`. Older tokens expire immediately.',
    body: schemas.rotateTokenBody,
    responses: { 200: { description: 'The hook and its new token', schema: schemas.hookToken }, 409: conflict },
    handler: async ({ principal, params, body }) =>
      ok(await hooks.rotateToken(principal, params.id, body.overlap_hours)),
  })

  const rotateSecret = defineRoute({
    ...base,
    name: 'triggers.rotateSecret',
    method: 'post',
    path: '/v1/triggers/:id/rotate-secret',
    summary: 'Set or rotate a signing secret',
    description:
      'Signatures made with the previous secret are accepted for `overlap_hours`. A generated secret is shown only once. A secret that you sent is not shown again.',
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
    summary: 'Send a webhook request',
    description:
      'The body may be JSON, a form or any other content, up to 1 MB after decompression. The signature is ' +
      "checked according to the trigger's settings. Copies of the same delivery start only one run, and " +
      'each response contains its job id. After 409 or 429, you can repeat the delivery; the trigger then ' +
      'evaluates it again.',
    tag,
    access: allowAll,
    params: publicParams,
    raw: true,
    responses: {
      200: {
        description:
          'The run has completed, for a hook that waits for it. Or no run was started, because the filter did not match. Or the response answers a challenge.',
        schema: schemas.hookAnswer,
      },
      202: { description: 'The run was started', schema: schemas.hookAccepted },
      401: { description: 'The signature is invalid or expired', schema: errorBody },
      409: { description: 'The trigger is paused, or its target cannot be started', schema: errorBody },
      502: { description: 'The run failed while the sender was waiting', schema: errorBody },
    },
    handler: async ({ params, ctx }) => presentReply(await hooks.receive(params.token, readHookRequest(ctx))),
  })

/** Reads a raw request of an external sender. */
export function readHookRequest(ctx: AppContext): HookRequest {
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
