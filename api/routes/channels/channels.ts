import * as schemas from '../../../contract/channels/channel.ts'
import { channelMessagePage } from '../../../contract/channels/channel-message.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import type { ChannelsService } from '../../../services/channels/channels.ts'
import { allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'

const params = schemas.channelParams
const conflict = (description: string) => ({ description, schema: errorBody })

/** Routes for channels, which connect a workspace to a messaging service. */
export function channelRoutes({ channels }: { channels: ChannelsService }): Route[] {
  const base = { tag: 'Channels', access: allowWriters('access:manage') } as const

  const list = defineRoute({
    ...base,
    name: 'channels.list',
    method: 'get',
    path: '/v1/channels',
    summary: 'List channels, by name',
    query: pageQuery,
    responses: { 200: { description: 'A page of channels', schema: schemas.channelPage } },
    async handler({ principal, query }) {
      const { data, total } = await channels.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const read = defineRoute({
    ...base,
    name: 'channels.get',
    method: 'get',
    path: '/v1/channels/:name',
    summary: 'Read a channel',
    params,
    responses: { 200: { description: 'The channel', schema: schemas.channel } },
    handler: async ({ principal, params }) => ok(await channels.get(principal, params.name)),
  })

  const save = defineRoute({
    ...base,
    name: 'channels.save',
    method: 'put',
    path: '/v1/channels',
    summary: 'Create a channel, or replace its credentials',
    description: 'The credentials are checked with the service before they are stored. They are never returned.',
    body: schemas.channelBody,
    responses: {
      200: { description: 'The channel', schema: schemas.channel },
      409: conflict(
        'The channel belongs to another Slack workspace or has another type, or the workspace has reached its maximum number of channels',
      ),
      503: { description: 'The service does not respond', schema: errorBody },
    },
    handler: async ({ principal, body }) => ok(await channels.save(principal, body)),
  })

  const remove = defineRoute({
    ...base,
    name: 'channels.delete',
    method: 'delete',
    effect: 'stop',
    path: '/v1/channels/:name',
    summary: 'Delete a channel, its linked accounts and its log',
    params,
    responses: { 204: { description: 'Deleted' }, 409: conflict('A receptor is bound to the channel') },
    async handler({ principal, params }) {
      await channels.remove(principal, params.name)
      return noContent()
    },
  })

  const messages = defineRoute({
    ...base,
    name: 'channels.messages',
    method: 'get',
    path: '/v1/channels/:name/messages',
    summary: "List a channel's messages, latest first",
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of messages', schema: channelMessagePage } },
    async handler({ principal, params, query }) {
      const { data, total } = await channels.messages(principal, params.name, query)
      return ok(page(data, total, query))
    },
  })

  return [list, read, save, remove, messages]
}
