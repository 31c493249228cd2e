import { Unavailable } from '../../../domain/shared/errors.ts'
import { invalidRequestError } from '../../../domain/shared/invalid-request.ts'
import { type ChannelConnector, ChannelError } from '../channel-type.ts'
import type { SendToTeams } from './webhook.ts'

/** A channel is the address of a Teams workflow. Its first message proves that the address is valid. */
export const createTeamsConnector = ({ sendToTeams }: { sendToTeams: SendToTeams }): ChannelConnector<'teams'> => ({
  async connect({ name, webhook_url }) {
    try {
      await sendToTeams(webhook_url, { title: `Ganglion is connected to this conversation as ${name}`, lines: [] })
      return { settings: { host: new URL(webhook_url).host }, credentials: { webhook_url } }
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      const { message, isRetryable } = error.failure
      if (isRetryable) throw new Unavailable(message)
      throw invalidRequestError([{ pointer: '/webhook_url', message: `is not accepted: ${message}` }])
    }
  },

  present: ({ host }) => ({ type: 'teams', host }),
})
