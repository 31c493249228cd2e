import { z } from 'zod'
import * as schemas from '../../../contract/channels/channel.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import { line } from '../../../contract/shared/text.ts'
import type { ChannelAccountsService } from '../../../services/channels/accounts.ts'
import type { ChannelsService } from '../../../services/channels/channels.ts'
import type { NotificationRulesService } from '../../../services/channels/notification-rules.ts'
import type { ReceiveFromSlack } from '../../../services/channels/slack/receive.ts'
import { allowAll, allowReaders, allowSessions, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { readHookRequest } from '../triggers/hooks.ts'

interface Services {
  channels: ChannelsService
  channelAccounts: ChannelAccountsService
  notificationRules: NotificationRulesService
  receiveFromSlack: ReceiveFromSlack
}

const tag = 'Channels'
const params = schemas.channelParams
const conflict = (description: string) => ({ description, schema: errorBody })

/** Routes for channels, which connect a workspace to a messaging service. */
export const channelRoutes = (services: Services): Route[] => [
  ...editRoutes(services.channels),
  ...accountRoutes(services.channelAccounts),
  ...ruleRoutes(services.notificationRules),
  receiveRoute(services.receiveFromSlack),
]

function editRoutes(channels: ChannelsService): Route[] {
  const base = { tag, access: allowWriters('access:manage') } as const

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
    responses: { 200: { description: 'A page of messages', schema: schemas.channelMessagePage } },
    async handler({ principal, params, query }) {
      const { data, total } = await channels.messages(principal, params.name, query)
      return ok(page(data, total, query))
    },
  })

  return [list, read, save, remove, messages]
}

function accountRoutes(accounts: ChannelAccountsService): Route[] {
  const base = { tag, access: allowSessions(null) } as const

  const list = defineRoute({
    ...base,
    name: 'channelAccounts.list',
    method: 'get',
    path: '/v1/channel-accounts',
    summary: 'List the channels of the workspace, with your accounts',
    responses: { 200: { description: 'The accounts', schema: schemas.channelAccounts } },
    handler: async ({ principal }) => ok({ data: await accounts.list(principal) }),
  })

  const createCode = defineRoute({
    ...base,
    name: 'channelAccounts.createCode',
    method: 'post',
    path: '/v1/channel-accounts/:name/code',
    summary: 'Create a code that links an account to you',
    description:
      'Send the code to the app, or to the address of the channel, from the account that you want to link. It expires after 10 minutes.',
    params,
    responses: {
      200: { description: 'The code', schema: schemas.linkCode },
      409: conflict('You already have an account in the channel, or the channel receives no messages'),
    },
    handler: async ({ principal, params }) => ok(await accounts.createCode(principal, params.name)),
  })

  const remove = defineRoute({
    ...base,
    name: 'channelAccounts.delete',
    method: 'delete',
    effect: 'stop',
    path: '/v1/channel-accounts/:name',
    summary: 'Remove the link to your account',
    params,
    responses: { 204: { description: 'Removed' } },
    async handler({ principal, params }) {
      await accounts.remove(principal, params.name)
      return noContent()
    },
  })

  return [list, createCode, remove]
}

function ruleRoutes(rules: NotificationRulesService): Route[] {
  const list = defineRoute({
    name: 'notificationRules.list',
    method: 'get',
    path: '/v1/notification-rules',
    summary: 'List notification rules',
    tag,
    access: allowReaders('interventions:read'),
    query: schemas.notificationRulesQuery,
    responses: { 200: { description: 'A page of rules', schema: schemas.notificationRulePage } },
    async handler({ principal, query }) {
      const { data, total } = await rules.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const save = defineRoute({
    name: 'notificationRules.save',
    method: 'put',
    path: '/v1/notification-rules',
    summary: 'Create or replace a notification rule',
    description:
      'A rule sends the tasks and other notifications of a member or a group to a channel. Rules of other people and of groups need the permission `access:manage`.',
    tag,
    access: allowWriters('interventions:read'),
    body: schemas.notificationRuleBody,
    responses: { 200: { description: 'The rule', schema: schemas.notificationRule } },
    handler: async ({ principal, body }) => ok(await rules.save(principal, body)),
  })

  const remove = defineRoute({
    name: 'notificationRules.delete',
    method: 'delete',
    path: '/v1/notification-rules/:subject/:channel',
    summary: 'Delete a notification rule',
    tag,
    access: allowWriters('interventions:read'),
    params: schemas.notificationRuleParams,
    responses: { 204: { description: 'Deleted' } },
    async handler({ principal, params }) {
      await rules.remove(principal, params)
      return noContent()
    },
  })

  return [list, save, remove]
}

const receiveParams = z.object({
  workspace_slug: line(100).meta({ description: 'Slug of the workspace' }),
  name: line().meta({ description: 'Name of the channel' }),
})

const receiveRoute = (receive: ReceiveFromSlack): Route =>
  defineRoute({
    name: 'public.receiveFromChannel',
    method: 'post',
    path: '/v1/public/channels/:workspace_slug/:name',
    summary: 'Send an event or an interaction of a channel',
    description:
      'Messaging services call this address. The signature of each request is checked. An event that is sent again has no further effect.',
    tag,
    access: allowAll,
    params: receiveParams,
    raw: true,
    responses: {
      200: { description: 'The request was processed', schema: schemas.channelReply },
      401: { description: 'The signature is invalid or expired', schema: errorBody },
    },
    handler: async ({ params, ctx }) => ok((await receive(params, readHookRequest(ctx))) ?? {}),
  })
