import { z } from 'zod'

const MAX_BINDINGS = 20
const MAX_CONVERSATIONS = 100
export const MAIL_SENDERS = ['members', 'anyone'] as const

/** The name of the channel. */
const channel = z.string().min(1).max(100)

const slack = z.strictObject({
  type: z.literal('slack'),
  channel,
  /** Slack conversations that the receptor answers. By default, it answers wherever the app is addressed. */
  conversations: z
    .array(z.string().regex(/^[CDG][A-Z0-9]{2,30}$/, 'must be the id of a Slack conversation such as C012AB3CD'))
    .min(1)
    .max(MAX_CONVERSATIONS)
    .optional(),
})

/** The receptor answers all mail to the channel's mailbox. */
const email = z.strictObject({
  type: z.literal('email'),
  channel,
  /** Who gets answers: members who have linked their address, or every authenticated sender. */
  senders: z.enum(MAIL_SENDERS).default('members'),
})

/** The channels on which a receptor answers. */
export const channelBindings = z
  .array(z.discriminatedUnion('type', [slack, email]))
  .max(MAX_BINDINGS)
  .default([])

export type ChannelBinding = z.output<typeof channelBindings>[number]

/** Returns whether people without an account can write to the receptor. */
export const isOpenToAnyone = (binding: ChannelBinding): boolean =>
  binding.type === 'email' && binding.senders === 'anyone'

/** Returns whether two bindings would answer the same messages. A binding with conversations has precedence. */
export function overlaps(one: ChannelBinding, other: ChannelBinding): boolean {
  if (one.channel !== other.channel) return false
  if (one.type !== 'slack' || other.type !== 'slack') return one.type === other.type
  if (!one.conversations || !other.conversations) return one.conversations === other.conversations
  return !new Set(one.conversations).isDisjointFrom(new Set(other.conversations))
}
