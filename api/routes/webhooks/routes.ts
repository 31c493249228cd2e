import { z } from 'zod'
import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import * as schemas from '../../../contract/webhooks/webhook.ts'
import { deliveriesQuery, deliveryPage, delivery } from '../../../contract/webhooks/delivery.ts'
import { line } from '../../../contract/shared/text.ts'
import { allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { Webhooks } from '../../../services/webhooks/webhooks.ts'

const id = line().meta({ description: 'Id of the webhook' })
const params = z.object({ id })
const deliveryParams = z.object({ id, deliveryId: line().meta({ description: 'Id of the delivery' }) })

const tag = 'Webhooks'
const base = { tag, access: allowWriters('webhooks:manage') } as const
const conflict = (description: string) => ({ description, schema: errorBody })

/** Routes for webhooks, which deliver workspace events to URLs. */
export const webhookRoutes = ({ webhooks }: { webhooks: Webhooks }): Route[] => [
  ...editRoutes(webhooks),
  ...deliveryRoutes(webhooks),
]

function editRoutes(webhooks: Webhooks): Route[] {
  const list = defineRoute({
    ...base,
    name: 'webhooks.list',
    method: 'get',
    path: '/v1/webhooks',
    summary: 'List webhooks, latest first',
    query: pageQuery,
    responses: { 200: { description: 'A page of webhooks', schema: schemas.webhookPage } },
    async handler({ principal, query }) {
      const { data, total } = await webhooks.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    ...base,
    name: 'webhooks.create',
    method: 'post',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    description:
      'Ganglion sends each matching event to the URL as a POST request. The body is the same as in the ' +
      'event stream, and the headers follow Standard Webhooks: `webhook-id`, `webhook-timestamp` and ' +
      '`webhook-signature`. If the endpoint does not return a 2xx status within 15 seconds, the delivery ' +
      'is retried with increasing delays for about a day. Deliveries may arrive more than once and in any ' +
      'order; `webhook-id` stays the same.',
    body: schemas.webhookBody,
    responses: {
      201: { description: 'The webhook and its secret', schema: schemas.webhookWithSecret },
      409: conflict('The workspace has reached its maximum number of webhooks'),
    },
    async handler({ principal, body }) {
      const webhook = await webhooks.create(principal, body)
      return created(`/v1/webhooks/${webhook.id}`, webhook)
    },
  })

  const read = defineRoute({
    ...base,
    name: 'webhooks.get',
    method: 'get',
    path: '/v1/webhooks/:id',
    summary: 'Read a webhook',
    params,
    responses: { 200: { description: 'The webhook', schema: schemas.webhook } },
    handler: async ({ principal, params }) => ok(await webhooks.get(principal, params.id)),
  })

  const change = defineRoute({
    ...base,
    name: 'webhooks.update',
    method: 'patch',
    path: '/v1/webhooks/:id',
    summary: 'Update a webhook',
    params,
    body: schemas.webhookChange,
    responses: { 200: { description: 'The webhook', schema: schemas.webhook } },
    handler: async ({ principal, params, body }) => ok(await webhooks.change(principal, params.id, body)),
  })

  const remove = defineRoute({
    ...base,
    name: 'webhooks.delete',
    method: 'delete',
    effect: 'stop',
    path: '/v1/webhooks/:id',
    summary: 'Delete a webhook and its log',
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ principal, params }) {
      await webhooks.remove(principal, params.id)
      return noContent()
    },
  })

  const rotate = defineRoute({
    ...base,
    name: 'webhooks.rotateSecret',
    method: 'post',
    path: '/v1/webhooks/:id/rotate-secret',
    summary: 'Rotate a webhook secret',
    description: 'During the overlap, each delivery is signed with both secrets.',
    params,
    body: schemas.rotateSecretBody,
    responses: {
      200: { description: 'The webhook and its new secret', schema: schemas.webhookWithSecret },
    },
    handler: async ({ principal, params, body }) =>
      ok(await webhooks.rotateSecret(principal, params.id, body.overlap_hours)),
  })

  return [list, create, read, change, remove, rotate]
}

function deliveryRoutes(webhooks: Webhooks): Route[] {
  const list = defineRoute({
    ...base,
    name: 'webhooks.deliveries',
    method: 'get',
    path: '/v1/webhooks/:id/deliveries',
    summary: 'List deliveries, latest first',
    params,
    query: deliveriesQuery,
    responses: { 200: { description: 'A page of deliveries', schema: deliveryPage } },
    async handler({ principal, params, query }) {
      const { data, total } = await webhooks.deliveries(principal, params.id, query)
      return ok(page(data, total, query))
    },
  })

  const replay = defineRoute({
    ...base,
    name: 'webhooks.replay',
    method: 'post',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/replay',
    summary: 'Replay a delivery',
    description: 'The body and `webhook-id` are the same as in the first delivery.',
    params: deliveryParams,
    responses: {
      202: { description: 'The delivery, which is pending again', schema: delivery },
      409: conflict('The delivery is pending, or the webhook is disabled'),
    },
    handler: async ({ principal, params }) => ({
      status: 202,
      body: await webhooks.replay(principal, params.id, params.deliveryId),
    }),
  })

  const test = defineRoute({
    ...base,
    name: 'webhooks.test',
    method: 'post',
    path: '/v1/webhooks/:id/test',
    summary: 'Send a test event',
    params,
    responses: {
      202: { description: 'The delivery', schema: delivery },
      409: conflict('The webhook is disabled'),
    },
    handler: async ({ principal, params }) => ({ status: 202, body: await webhooks.test(principal, params.id) }),
  })

  return [list, replay, test]
}
