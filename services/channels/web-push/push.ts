import { buildPushPayload } from '@block65/webcrypto-web-push'
import type { PushSubscriptionFields } from '../../../contract/channels/push-subscription.ts'
import type { Notice } from '../../../domain/channels/notification.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import type { Outbound } from '../../tools/outbound/client.ts'
import type { OpenedChannel } from '../open-channel.ts'
import { post, requireAccepted } from '../post.ts'

/** A message for one browser. */
export interface PushRequest {
  channel: OpenedChannel<'web_push'>
  subscription: PushSubscriptionFields
  notice: Notice
  /** At most 32 characters. A message with the same tag replaces this one in the push service and in the browser. */
  tag: string
  signal: AbortSignal
}

/** Sends a notice to the push service of a browser. Returns false if the subscription has ended. Throws ChannelError. */
export type SendPush = (request: PushRequest) => Promise<boolean>

/** How long a push service keeps a message for a browser that is not running: a weekend. */
const TTL_SECONDS = 3 * 86_400
const ENDED = new Set([404, 410])
/** The push service rejects the key or the contact of the channel. Other errors concern one browser. */
const REJECTED = new Set([401, 403])

/** A message may have 4 kB, even if JSON escapes every character. */
const MAX_TITLE_CHARS = 120
const MAX_BODY_CHARS = 400

export const createSendPush =
  (outbound: Pick<Outbound, 'request'>): SendPush =>
  async ({ channel: { settings, credentials }, subscription, notice, tag, signal }) => {
    const { endpoint } = subscription
    const { headers, body } = await buildPushPayload(
      { data: renderNotice(notice, tag), options: { ttl: TTL_SECONDS, topic: tag } },
      { ...subscription, expirationTime: null },
      { subject: settings.contact, publicKey: settings.public_key, privateKey: credentials.private_key },
    )
    const service = new URL(endpoint).host
    // The client sets the length.
    const { 'content-length': _length, ...others } = headers
    const response = await post(outbound, { service, url: endpoint, headers: others, body, signal })
    if (ENDED.has(response.status)) return false
    requireAccepted(service, response, !REJECTED.has(response.status))
    return true
  }

/** The message as console/public/push-worker.js reads it. */
const renderNotice = ({ title, lines, url }: Notice, tag: string) => ({
  title: shorten(title, MAX_TITLE_CHARS),
  body: shorten(lines.join('\n'), MAX_BODY_CHARS),
  // Absent without a public URL.
  url: url ?? null,
  tag,
})
