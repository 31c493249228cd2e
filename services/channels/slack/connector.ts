import { Conflict, Unavailable } from '../../../domain/shared/errors.ts'
import { invalidRequestError } from '../../../domain/shared/invalid-request.ts'
import type { ChannelConnector } from '../channel-type.ts'
import { describeSlackError, type OpenSlack } from './api.ts'

/** A channel is the connection to one Slack app. Its bot's identity proves that the token is valid. */
export const createSlackConnector = ({ openSlack }: { openSlack: OpenSlack }): ChannelConnector<'slack'> => ({
  async connect({ bot_token, signing_secret }) {
    try {
      const { team_id = '', team = '', user_id: bot_user_id = '' } = await openSlack(bot_token).auth.test()
      return { settings: { team_id, team, bot_user_id }, credentials: { bot_token, signing_secret } }
    } catch (error) {
      const failure = describeSlackError(error)
      if (!failure) throw error
      if (failure.isRetryable) throw new Unavailable(`Slack does not accept requests: ${failure.message}`)
      throw invalidRequestError([{ pointer: '/bot_token', message: `is not accepted: ${failure.message}` }])
    }
  },

  replace({ settings: before }, after) {
    if (before.team_id !== after.settings.team_id)
      throw new Conflict(`The channel belongs to the Slack workspace ${before.team}: create another channel`)
    return after
  },

  present: ({ team, team_id }, request_url) => ({ type: 'slack', team, team_id, request_url }),
})
