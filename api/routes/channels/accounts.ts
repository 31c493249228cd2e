import { channelParams as params } from '../../../contract/channels/channel.ts'
import { channelAccounts, linkCode } from '../../../contract/channels/channel-account.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import type { ChannelAccountsService } from '../../../services/channels/accounts.ts'
import { allowSessions } from '../../routing/access.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'

/** Routes for the caller's accounts at messaging services. */
export function channelAccountRoutes({
  channelAccounts: accounts,
}: {
  channelAccounts: ChannelAccountsService
}): Route[] {
  const base = { tag: 'Channels', access: allowSessions(null) } as const

  const list = defineRoute({
    ...base,
    name: 'channelAccounts.list',
    method: 'get',
    path: '/v1/channel-accounts',
    summary: 'List the channels of the workspace, with your accounts',
    responses: { 200: { description: 'The accounts', schema: channelAccounts } },
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
      200: { description: 'The code', schema: linkCode },
      409: {
        description: 'You already have an account in the channel, or the channel receives no messages',
        schema: errorBody,
      },
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
