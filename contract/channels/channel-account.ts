import { z } from 'zod'
import { CHANNEL_TYPES } from '../../domain/channels/channel.ts'
import { timestamp } from '../shared/time.ts'
import { publicKey } from './channel.ts'

export const channelAccount = z
  .object({
    channel: z.string(),
    type: z.enum(CHANNEL_TYPES),
    external_id: z.string().nullable().meta({ description: 'Id of your user at the service. Null: not linked' }),
    linked_at: timestamp.nullable(),
    is_linkable: z.boolean().meta({ description: 'Whether members can link accounts: the channel receives messages' }),
    public_key: publicKey.nullable(),
    push_subscriptions: z
      .array(z.string())
      .meta({ description: 'Your browsers that receive notifications: SHA-256 (hex) of their endpoints' }),
  })
  .meta({ id: 'ChannelAccount' })
export type ChannelAccountView = z.output<typeof channelAccount>

export const channelAccounts = z.object({ data: z.array(channelAccount) }).meta({ id: 'ChannelAccounts' })

export const linkCode = z
  .object({
    code: z.string(),
    expires_at: timestamp,
    instructions: z.string().meta({ description: 'Steps that link the account' }),
  })
  .meta({ id: 'LinkCode' })
export type LinkCode = z.output<typeof linkCode>
