import { saveSent } from '../../../data/channels/channel-messages-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { ShowIn } from '../channel-type.ts'
import { findTaskNotice } from '../notifications/notices.ts'
import type { SendToTeams } from './webhook.ts'

interface Deps {
  sendToTeams: SendToTeams
  /** The service's public URL. */
  baseUrl?: string
}

/**
 * Sends notices to Teams. A workflow address accepts messages, but cannot update or find them. So each message is sent
 * once, and again only if the process stops before the success is recorded.
 */
export const createShowInTeams =
  ({ sendToTeams, baseUrl }: Deps): ShowIn<'teams'> =>
  async ({ channel, message, notice, inWorkspace, signal }) => {
    if (message.content_hash !== null) return { hash: message.content_hash }
    const content = notice ?? (await inWorkspace(tx => findTaskNotice(tx, message, baseUrl)))
    if (!content) return 'skipped'
    const { id, conversation } = message
    await sendToTeams(channel.credentials.webhook_url, content, signal)
    await inWorkspace(tx => saveSent(tx, id, { conversation, external_id: id }))
    return { hash: hashCanonical(content) }
  }
