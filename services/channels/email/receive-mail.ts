import type { Workspace } from '../../../data/access/access-store.ts'
import { saveUndelivered } from '../../../data/channels/channel-messages-store.ts'
import { noteEvent } from '../../../data/channels/channels-store.ts'
import {
  countReceived,
  findThreadMessage,
  insertReceivedMessage,
  isReceived,
  type NewReceivedMessage,
} from '../../../data/channels/received-messages-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { findIdempotency } from '../../../data/shared/idempotency-store.ts'
import { isVisitorName, type Principal } from '../../../domain/access/principal.ts'
import { RateLimited } from '../../../domain/shared/errors.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import type { JobsService } from '../../runs/jobs.ts'
import { findLinkCode, linkAccount } from '../accounts.ts'
import { type Binding, listBindings } from '../bindings.ts'
import { findChannelPrincipal } from '../find-principal.ts'
import type { OpenedChannel } from '../open-channel.ts'
import { buildMessageKey, NO_RECEPTOR, type SendToReceptor } from '../send-to-receptor.ts'
import type { MessageStarter } from '../starters.ts'
import { answerTask, findGuest } from './guests.ts'
import { findMessageRow } from './message-id.ts'
import { buildSourceKey, type ParsedMail } from './parse.ts'

/** `limited`: the channel has received too many mails. `waiting`: the mail needs a run, and has to wait for it. */
export type MailResult = 'handled' | 'limited' | 'waiting'

/**
 * Handles a received mail, and records it with its answer, unless it has to wait. Repeating a call has no further
 * effect.
 * @param mayStart false if earlier mail already waits for a run
 */
export type ReceiveMail = (
  workspace: Workspace,
  channel: OpenedChannel<'email'>,
  mail: ParsedMail,
  mayStart: boolean,
) => Promise<MailResult>

interface Deps {
  db: Database
  sendToReceptor: SendToReceptor
  jobs: Pick<JobsService, 'interventions' | 'list' | 'answer'>
  messageStarter: Pick<MessageStarter, 'start'>
}

const MAX_PER_SENDER = 30
export const MAX_PER_CHANNEL = 300
export const MAX_MAIL_BYTES = 25 * 1_048_576

const HELP_UNLINKED =
  'Your address is not linked to a member. In Ganglion, open Settings, Notifications, choose “Link account”, and send me the code as the subject of a mail: link CODE'
const TOO_LARGE = 'The mail is larger than 25 MB. Send it again without its attachments.'
const TASK_REPLY = 'You cannot answer tasks by mail. Open the link in the mail about the task.'

/** The result of a mail: a run, a fixed answer, or nothing. */
type Decision = Partial<Pick<NewReceivedMessage, 'job_id' | 'reply' | 'failure'>> & { recipient?: string }

export function createReceiveMail({ db, sendToReceptor, jobs, messageStarter }: Deps): ReceiveMail {
  return async (workspace, channel, mail, mayStart) => {
    const { received, source_key, text, attachments } = mail
    const { from, subject, authentication } = received
    const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspace.id, work)
    const idempotency = buildMessageKey(channel, source_key)

    /**
     * A mail whose sender is not certain gets no answer, because the answer could go to someone else. Returns undefined
     * if the mail has to wait for a run.
     */
    async function decide(fromSender: number): Promise<Decision | undefined> {
      if (mail.automatic !== undefined) return { failure: mail.automatic }
      if (!authentication.is_authentic) return { failure: 'The sender is not authenticated' }
      if (fromSender >= MAX_PER_SENDER) return { failure: `The sender sent ${MAX_PER_SENDER} messages in an hour` }
      const code = findLinkCode(subject) ?? findLinkCode(text)
      if (code !== undefined) return { reply: await inWorkspace(tx => linkAccount(tx, channel, from, code)) }
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
      if (receptor === undefined) return { recipient, reply: NO_RECEPTOR }
      if (text === '' && attachments.length === 0)
        return { recipient, reply: 'The mail has no text. Write your message in the body of the mail.' }
      const ownTrace = thread?.recipient === recipient ? thread.trace_id : null
      const answered = isVisitorName(recipient) && ownTrace !== null ? await answer(principal, ownTrace) : undefined
      if (answered !== undefined) return { recipient, reply: answered }
      if (!mayStart) return undefined
      const traceId = ownTrace ?? deriveUuid(`${channel.id} ${source_key}`)
      const message = { traceId, receptor, text: text || subject, attachments, idempotency }
      const result = await sendToReceptor(principal, message).catch(swallowLimit)
      return result && { recipient, ...('refusal' in result ? { reply: result.refusal } : result) }
    }

    /** Returns undefined for a mail that is not an answer. An earlier attempt may have sent it to the thread. */
    async function answer(guest: Principal, traceId: string): Promise<string | null | undefined> {
      const isSent = (await inWorkspace(tx => findIdempotency(tx, idempotency.key))) !== undefined
      return isSent ? undefined : answerTask(jobs, guest, traceId, mail)
    }

    const counts = await inWorkspace(async tx =>
      (await isReceived(tx, channel.id, source_key)) ? undefined : countReceived(tx, channel.id, from),
    )
    if (!counts) return 'handled'
    if (counts.all >= MAX_PER_CHANNEL) return 'limited'
    const decision = await decide(counts.from_sender)
    if (!decision) return 'waiting'
    const { recipient = from, job_id = null, reply = null, failure = null } = decision
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
    return 'handled'
  }
}

/** Returns undefined if the plan allows no further run at the moment. */
function swallowLimit(error: unknown): undefined {
  if (!(error instanceof RateLimited)) throw error
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
