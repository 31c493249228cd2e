import { channelParams } from '../../../contract/channels/channel.ts'
import * as schemas from '../../../contract/channels/push-subscription.ts'
import type { PushSubscriptionsService } from '../../../services/channels/web-push/subscriptions.ts'
import { allowSessions } from '../../routing/access.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'

interface Services {
  pushSubscriptions: PushSubscriptionsService
}

/** Routes for the browsers in which the caller receives notifications. */
export function pushSubscriptionRoutes({ pushSubscriptions: subscriptions }: Services): Route[] {
  const base = { tag: 'Channels', access: allowSessions(null) } as const

  const save = defineRoute({
    ...base,
    name: 'pushSubscriptions.save',
    method: 'put',
    path: '/v1/channel-accounts/:name/push-subscriptions',
    summary: 'Receive your notifications in a browser',
    description:
      'The body is the `PushSubscription` of a browser that has subscribed with the public key of the channel. You can have 20 browsers in a channel. After that, the oldest one is removed.',
    params: channelParams,
    body: schemas.pushSubscriptionBody,
    responses: { 200: { description: 'The subscription', schema: schemas.pushSubscription } },
    handler: async ({ principal, params, body }) => ok(await subscriptions.save(principal, params.name, body)),
  })

  const remove = defineRoute({
    ...base,
    name: 'pushSubscriptions.delete',
    method: 'delete',
    effect: 'stop',
    path: '/v1/channel-accounts/:name/push-subscriptions/:id',
    summary: 'Stop receiving notifications in a browser',
    params: schemas.pushSubscriptionParams,
    responses: { 204: { description: 'Stopped' } },
    async handler({ principal, params }) {
      await subscriptions.remove(principal, params.name, params.id)
      return noContent()
    },
  })

  return [save, remove]
}
