import { z } from 'zod'

const MAX_BINDINGS = 20
const MAX_CONVERSATIONS = 100

const slack = z.strictObject({
  type: z.literal('slack'),
  /** The name of the channel. */
  channel: z.string().min(1).max(100),
  /** Slack conversations that the receptor answers. By default, it answers wherever the app is addressed. */
  conversations: z
    .array(z.string().regex(/^[CDG][A-Z0-9]{2,30}$/, 'must be the id of a Slack conversation such as C012AB3CD'))
    .min(1)
    .max(MAX_CONVERSATIONS)
    .optional(),
})

/** The channels on which a receptor answers. */
export const channelBindings = z.array(slack).max(MAX_BINDINGS).default([])

export type ChannelBinding = z.output<typeof channelBindings>[number]

/** Returns whether two bindings would answer the same messages. A binding with conversations has precedence. */
export function overlaps(one: ChannelBinding, other: ChannelBinding): boolean {
  if (one.type !== other.type || one.channel !== other.channel) return false
  if (!one.conversations || !other.conversations) return one.conversations === other.conversations
  return !new Set(one.conversations).isDisjointFrom(new Set(other.conversations))
}
