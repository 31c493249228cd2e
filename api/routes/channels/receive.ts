import { z } from 'zod'
import { channelReply } from '../../../contract/channels/channel.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { line } from '../../../contract/shared/text.ts'
import type { ReceiveFromSlack } from '../../../services/channels/slack/receive.ts'
import { allowAll } from '../../routing/access.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { readHookRequest } from '../triggers/hooks.ts'

interface Services {
  receiveFromSlack: ReceiveFromSlack
}

const receiveParams = z.object({
  workspace_slug: line(100).meta({ description: 'Slug of the workspace' }),
  name: line().meta({ description: 'Name of the channel' }),
})

/** The route that messaging services call. */
export const receiveRoutes = ({ receiveFromSlack: receive }: Services): Route[] => [
  defineRoute({
    name: 'public.receiveFromChannel',
    method: 'post',
    path: '/v1/public/channels/:workspace_slug/:name',
    summary: 'Send an event or an interaction of a channel',
    description:
      'Messaging services call this address. The signature of each request is checked. An event that is sent again has no further effect.',
    tag: 'Channels',
    access: allowAll,
    params: receiveParams,
    raw: true,
    responses: {
      200: { description: 'The request was processed', schema: channelReply },
      401: { description: 'The signature is invalid or expired', schema: errorBody },
    },
    handler: async ({ params, ctx }) => ok((await receive(params, readHookRequest(ctx))) ?? {}),
  }),
]
