import { saveSent } from '../../../data/channels/channel-messages-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import { buildNotificationSettingsUrl } from '../../../domain/shared/console-link.ts'
import type { Showing, ShowIn } from '../channel-type.ts'
import { composeAnswer } from './answer-mail.ts'
import type { Draft } from './draft.ts'
import { buildMessageId } from './message-id.ts'
import { composeNotice } from './notice-mail.ts'
import type { MailServers } from './servers.ts'
import { composeTask } from './task-mail.ts'

interface Deps {
  servers: MailServers
  /** The service's public URL. */
  baseUrl?: string
}

/**
 * Sends tasks and answers as mail. A mail cannot be updated, so each change that people must know is another mail in
 * the same thread. SMTP cannot tell whether an earlier attempt has sent a mail. A repeated attempt therefore has the
 * same Message-ID, by which servers and clients recognize it.
 */
export function createShowByMail({ servers, baseUrl }: Deps): ShowIn<'email'> {
  const compose = ({ message, notice, inWorkspace }: Showing<'email'>): Promise<Draft | 'waiting' | 'skipped'> =>
    inWorkspace<Draft | 'waiting' | 'skipped'>(tx => {
      if (notice) return composeNotice(tx, message, notice)
      const isTask = message.intervention_id !== null && message.reply === null
      return isTask ? composeTask(tx, message, baseUrl) : composeAnswer(tx, message, baseUrl)
    })

  return async showing => {
    const { channel, message, inWorkspace, signal } = showing
    const draft = await compose(showing)
    if (typeof draft === 'string') return draft
    const { state, ...content } = draft
    const hash = hashCanonical(state)
    if (message.content_hash === hash) return { hash }
    const { from, smtp } = channel.settings
    const { conversation, external_id } = message
    const message_id = buildMessageId(message, hash, from)
    // It is recorded before it is sent, so that a recipient of the first mail also gets the later ones.
    if (external_id === null)
      await inWorkspace(tx => saveSent(tx, message.id, { conversation, external_id: message_id }))
    else if (content.in_reply_to === undefined && external_id !== message_id)
      Object.assign(content, { in_reply_to: external_id, references: [external_id] })
    const unsubscribe_url = content.isReply ? undefined : buildNotificationSettingsUrl(baseUrl)
    const mail = { ...content, from, to: conversation, message_id, unsubscribe_url }
    await servers.send(smtp, channel.credentials.smtp_password, mail, signal)
    return { hash }
  }
}
