import { saveSent } from '../../../data/channels/channel-messages-store.ts'
import {
  deletePushSubscriptions,
  isAnyReached,
  listPushSubscriptions,
  notePushed,
  noteUnreached,
  type StoredSubscription,
} from '../../../data/channels/push-subscriptions-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { PushSubscriptionFields } from '../../../contract/channels/push-subscription.ts'
import type { Encryption } from '../../shared/encryption/encryption.ts'
import { ChannelError, type ChannelFailure, type ShowIn } from '../channel-type.ts'
import { findTaskNotice } from '../notifications/notices.ts'
import type { SendPush } from './push.ts'

interface Deps {
  sendPush: SendPush
  encryption: Encryption
  /** The service's public URL. */
  baseUrl?: string
}

const NO_BROWSER: ChannelFailure = {
  message: 'The member has no browser that receives notifications',
  isRetryable: false,
  isAboutMessage: true,
}

/**
 * Sends notices to all browsers of a member. Another attempt leaves out the browsers that have the message. If the
 * process stops before this is recorded, the message arrives again with the same tag, and replaces the first one.
 */
export const createShowInBrowsers =
  ({ sendPush, encryption, baseUrl }: Deps): ShowIn<'web_push'> =>
  async ({ channel, message, notice, inWorkspace, signal }) => {
    if (message.content_hash !== null) return { hash: message.content_hash }
    const content = notice ?? (await inWorkspace(tx => findTaskNotice(tx, message, baseUrl)))
    if (!content) return 'skipped'
    const { id, recipient, conversation, browser_ids: browserIds } = message
    const tag = id.replaceAll('-', '')
    const rows = await inWorkspace(tx => listPushSubscriptions(tx, { channel_id: channel.id, actor: recipient }))
    const deliveredIds: string[] = []
    const endedIds: string[] = []
    const unreached = new Map<string, ChannelFailure>()

    const send = async (row: StoredSubscription): Promise<void> => {
      const subscription = readSubscription(row, encryption)
      try {
        const isSent = subscription && (await sendPush({ channel, subscription, notice: content, tag, signal }))
        void (isSent ? deliveredIds : endedIds).push(row.id)
      } catch (error) {
        if (!(error instanceof ChannelError)) throw error
        unreached.set(row.id, error.failure)
      }
    }

    await Promise.all(rows.filter(row => !browserIds.includes(row.id)).map(send))
    const failures = [...unreached.values()]
    const failure = failures.find(({ isRetryable }) => isRetryable) ?? failures[0]
    const isChannelWorking = await inWorkspace(async tx => {
      await notePushed(tx, channel.id, deliveredIds, id)
      await deletePushSubscriptions(tx, channel.id, endedIds)
      if (!failure) return true
      await noteUnreached(tx, channel.id, [...unreached.keys()])
      return isAnyReached(tx, channel.id)
    })
    // A browser names its push service, so that one browser proves nothing about the channel.
    const isAboutMessage = isChannelWorking || failures.every(each => each.isAboutMessage)
    if (failure) throw new ChannelError({ ...failure, isAboutMessage })
    if (endedIds.length === rows.length) throw new ChannelError(NO_BROWSER)
    await inWorkspace(tx => saveSent(tx, id, { conversation, external_id: tag }))
    return { hash: hashCanonical(content) }
  }

/** Returns undefined if the server's secret has changed since the browser subscribed. */
function readSubscription(
  { id, subscription }: StoredSubscription,
  encryption: Encryption,
): PushSubscriptionFields | undefined {
  try {
    return JSON.parse(encryption.decrypt(subscription, id)) as PushSubscriptionFields
  } catch {
    return undefined
  }
}
