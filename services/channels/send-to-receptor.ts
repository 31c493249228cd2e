import { hashCanonical } from '../../data/shared/canonical-hash.ts'
import type { Database } from '../../data/shared/database.ts'
import { findIdempotency } from '../../data/shared/idempotency-store.ts'
import { isVisitorName, type Principal } from '../../domain/access/principal.ts'
import { requirePermission } from '../../domain/access/rights.ts'
import type { ChannelType } from '../../domain/channels/channel.ts'
import { isRefusal, isTransient } from '../../domain/shared/errors.ts'
import type { PlansService } from '../access/plans.ts'
import type { Chat } from '../agents/conversations/chat.ts'
import type { ReceptorsService } from '../agents/receptors.ts'
import type { FilesService } from '../documents/files.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import { type Attachment, storeAttachments } from './attachments.ts'

/** A message that a person wrote in a channel. */
interface ReceivedMessage {
  /** The thread of the message. It is opened if it does not exist. */
  traceId: string
  /** The id of the receptor that answers. */
  receptor: string
  text: string
  attachments: Attachment[]
  idempotency: Idempotency
}

/**
 * Sends a message to a receptor. Returns its run, or why the message was not accepted: guests don't learn the reason.
 * Throws if another attempt can succeed.
 */
export type SendToReceptor = (
  by: Principal,
  message: ReceivedMessage,
) => Promise<{ job_id: string } | { refusal: string }>

interface Deps {
  db: Database
  chat: Chat
  receptors: Pick<ReceptorsService, 'open'>
  files: Pick<FilesService, 'upload'>
  plans: Pick<PlansService, 'checkWrite'>
}

/** The reply in a channel without a receptor. */
export const NO_RECEPTOR = 'No agent answers here. Ask an administrator to connect one.'
const NOT_ACCEPTED = 'The message was not accepted'

export const createSendToReceptor =
  ({ db, chat, receptors, files, plans }: Deps): SendToReceptor =>
  async (by, { traceId, receptor, text, attachments, idempotency }) => {
    const isGuest = isVisitorName(by.actor)

    async function accept(): Promise<{ message: string; files: string[] }> {
      // The run has the rights of the receptor's author, so the member's own right to chat is checked here.
      if (!isGuest) requirePermission(by, 'conversations:write')
      await plans.checkWrite(by)
      const uploader = isGuest ? (await receptors.open(by, receptor)).principal : by
      return storeAttachments(files, uploader, { text, attachments, key: idempotency.key })
    }

    try {
      const earlier = await db.inWorkspace(by.workspace_id, tx => findIdempotency(tx, idempotency.key))
      // The run of an earlier attempt already has the message and its files.
      const content = earlier ? { message: text } : await accept()
      const { job_id } = await chat(by, traceId, { ...content, receptor }, idempotency)
      return { job_id }
    } catch (error) {
      if (!isRefusal(error) || isTransient(error)) throw error
      return { refusal: isGuest ? `${NOT_ACCEPTED}.` : `${NOT_ACCEPTED}: ${error.message}` }
    }
  }

/** Builds the key with which a message is sent once. `id` identifies the message in its channel. */
export const buildMessageKey = (channel: { id: string; type: ChannelType }, id: string): Idempotency => ({
  key: `${channel.type}:${channel.id}:${id}`,
  route: channel.type,
  body_hash: hashCanonical(id),
})
