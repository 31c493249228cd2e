import type { Workspace } from '../../../data/access/access-store.ts'
import {
  countReceived,
  findThreadMessage,
  insertReceivedMessage,
  isReceived,
  type NewReceivedMessage,
  saveUndelivered,
} from '../../../data/channels/channel-messages-store.ts'
import { noteEvent } from '../../../data/channels/channels-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { findIdempotency } from '../../../data/shared/idempotency-store.ts'
import { isVisitorName, type Principal } from '../../../domain/access/principal.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import { isRefusal, isTransient } from '../../../domain/shared/errors.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import type { PlansService } from '../../access/plans.ts'
import type { Chat } from '../../agents/conversations/chat.ts'
import type { ReceptorsService } from '../../agents/receptors.ts'
import type { FilesService } from '../../documents/files.ts'
import type { JobsService } from '../../runs/jobs.ts'
import { describeLink, findLinkCode, linkAccount } from '../accounts.ts'
import { storeAttachments } from '../attachments.ts'
import { type Binding, listBindings } from '../bindings.ts'
import { findChannelPrincipal } from '../find-principal.ts'
import type { OpenedChannel } from '../open-channel.ts'
import type { MessageStarter } from '../starters.ts'
import { answerTask, findGuest } from './guests.ts'
import { findMessageRow } from './message-id.ts'
import { buildSourceKey, type ParsedMail } from './parse.ts'

/**
 * Handles a received mail, and records it with its answer. Repeating a call has no further effect. Resolves with false
 * if the mail has to wait, because the channel has received too many.
 */
export type ReceiveMail = (workspace: Workspace, channel: OpenedChannel<'email'>, mail: ParsedMail) => Promise<boolean>

interface Deps {
  db: Database
  chat: Chat
  receptors: Pick<ReceptorsService, 'open'>
  files: Pick<FilesService, 'upload'>
  jobs: Pick<JobsService, 'interventions' | 'list' | 'answer'>
  plans: Pick<PlansService, 'checkWrite'>
  messageStarter: Pick<MessageStarter, 'start'>
}

const MAX_PER_SENDER = 30
export const MAX_PER_CHANNEL = 300
export const MAX_MAIL_BYTES = 25 * 1_048_576

const HELP_UNLINKED =
  'Your address is not linked to a member. In Ganglion, open Settings, Notifications, choose “Link account”, and send me the code as the subject of a mail: link CODE'
const TOO_LARGE = 'The mail is larger than 25 MB. Send it again without its attachments.'
const NOT_ACCEPTED = 'The message was not accepted'
const TASK_REPLY = 'You cannot answer tasks by mail. Open the link in the mail about the task.'

/** The result of a mail: a run, a fixed answer, or nothing. */
type Decision = Partial<Pick<NewReceivedMessage, 'job_id' | 'reply' | 'failure'>> & { recipient?: string }

export function createReceiveMail({ db, chat, receptors, files, jobs, plans, messageStarter }: Deps): ReceiveMail {
  return async (workspace, channel, mail) => {
    const { received, source_key, text, attachments } = mail
    const { from, subject, authentication } = received
    const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspace.id, work)
    const idempotency = {
      key: `email:${channel.id}:${source_key}`,
      route: 'email',
      body_hash: hashCanonical(source_key),
    }

    /** A mail whose sender is not certain gets no answer, because the answer could go to someone else. */
    async function decide(fromSender: number): Promise<Decision> {
      if (mail.automatic !== undefined) return { failure: mail.automatic }
      if (!authentication.is_authentic) return { failure: 'The sender is not authenticated' }
      if (fromSender >= MAX_PER_SENDER) return { failure: `The sender sent ${MAX_PER_SENDER} messages in an hour` }
      const code = findLinkCode(subject) ?? findLinkCode(text)
      if (code !== undefined)
        return { reply: describeLink(await inWorkspace(tx => linkAccount(tx, channel, from, code))) }
      const { principal, receptor, thread } = await inWorkspace(async tx => {
        const binding = await findBinding(tx, channel.name)
        const member = await findChannelPrincipal(tx, workspace, channel, from)
        return {
          principal: member ?? (binding && (await findGuest(tx, workspace, channel, binding, from))),
          receptor: binding?.id,
          thread: await findThread(tx, channel.id, mail),
        }
      })
      if (!principal) return { reply: HELP_UNLINKED }
      const { actor: recipient } = principal
      if (mail.isTooLarge) return { recipient, reply: TOO_LARGE }
      if (thread && thread.intervention_id !== null) return { recipient, reply: TASK_REPLY }
      if (receptor === undefined)
        return { recipient, reply: 'No agent answers here. Ask an administrator to connect one.' }
      if (text === '' && attachments.length === 0)
        return { recipient, reply: 'The mail has no text. Write your message in the body of the mail.' }
      const ownTrace = thread?.recipient === recipient ? thread.trace_id : null
      const answered = isVisitorName(recipient) && ownTrace !== null ? await answer(principal, ownTrace) : undefined
      if (answered !== undefined) return { recipient, reply: answered }
      const traceId = ownTrace ?? deriveUuid(`${channel.id} ${source_key}`)
      return { recipient, ...(await send(principal, receptor, traceId)) }
    }

    /** Returns undefined for a mail that is not an answer. An earlier attempt may have sent it to the thread. */
    async function answer(guest: Principal, traceId: string): Promise<string | null | undefined> {
      const isSent = (await inWorkspace(tx => findIdempotency(tx, idempotency.key))) !== undefined
      return isSent ? undefined : answerTask(jobs, guest, traceId, mail)
    }

    async function send(by: Principal, receptor: string, traceId: string): Promise<Decision> {
      const isGuest = isVisitorName(by.actor)
      try {
        // The run has the rights of the receptor's author, so the member's own right to chat is checked here.
        if (!isGuest) requirePermission(by, 'conversations:write')
        await plans.checkWrite(by)
        const uploader = isGuest ? (await receptors.open(by, receptor)).principal : by
        const content = await storeAttachments(files, uploader, { text: text || subject, attachments })
        const { job_id } = await chat(by, traceId, { ...content, receptor }, idempotency)
        return { job_id }
      } catch (error) {
        if (!isRefusal(error) || isTransient(error)) throw error
        return { reply: isGuest ? `${NOT_ACCEPTED}.` : `${NOT_ACCEPTED}: ${error.message}` }
      }
    }

    const counts = await inWorkspace(async tx =>
      (await isReceived(tx, channel.id, source_key)) ? undefined : countReceived(tx, channel.id, from),
    )
    if (!counts) return true
    if (counts.all >= MAX_PER_CHANNEL) return false
    const { recipient = from, job_id = null, reply = null, failure = null } = await decide(counts.from_sender)
    const answerMessage = await inWorkspace(async tx => {
      await noteEvent(tx, channel.id)
      if (mail.report) await saveUndelivered(tx, channel.id, mail.report)
      return insertReceivedMessage(tx, {
        channel_id: channel.id,
        source_key,
        received,
        recipient,
        conversation: from,
        thread: received.message_id,
        job_id,
        reply,
        failure,
      })
    })
    if (answerMessage) messageStarter.start(answerMessage)
    return true
  }
}

/** Finds the message that a mail answers. */
const findThread = (tx: Tx, channelId: string, { received }: ParsedMail) =>
  findThreadMessage(tx, channelId, {
    ids: received.references.flatMap(id => findMessageRow(id) ?? []),
    source_keys: received.references.map(id => buildSourceKey(id, received)),
  })

/** Returns the receptor that answers the mail of a channel. */
async function findBinding(tx: Tx, name: string): Promise<Binding | undefined> {
  const bindings = await listBindings(tx, [name])
  return bindings.find(({ binding }) => binding.type === 'email')
}
