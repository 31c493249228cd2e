import { insertAnswerMessage, requeueUnsent } from '../../../data/channels/channel-messages-store.ts'
import type { Workspace } from '../../../data/access/access-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import { isRefusal, isTransient } from '../../../domain/shared/errors.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { Chat } from '../../agents/conversations/chat.ts'
import type { PlansService } from '../../access/plans.ts'
import type { FilesService } from '../../documents/files.ts'
import { describeLink, findLinkCode, linkAccount } from '../accounts.ts'
import { storeAttachments } from '../attachments.ts'
import { listBindings } from '../bindings.ts'
import { findChannelPrincipal } from '../find-principal.ts'
import type { OpenedChannel } from '../open-channel.ts'
import type { MessageStarter } from '../starters.ts'
import type { OpenSlack } from './api.ts'
import type { ReadSlackFile } from './read-file.ts'
import { escapeText, HELP_UNLINKED } from './text.ts'

/** The fields of an event that are used. https://docs.slack.dev/apis/events-api */
export interface SlackEvent {
  event_id: string
  event: {
    type: string
    subtype?: string
    channel_type?: string
    channel?: string
    user?: string
    bot_id?: string
    text?: string
    ts?: string
    thread_ts?: string
    files?: { id: string; name?: string }[]
  }
}

/** A message that a person wrote to the app. */
interface Message {
  conversation: string
  user: string
  text: string
  /** The message that starts the thread. */
  thread: string
  isDirect: boolean
  files: { id: string; name?: string }[]
}

interface Deps {
  db: Database
  chat: Chat
  plans: Pick<PlansService, 'checkWrite'>
  files: Pick<FilesService, 'upload'>
  openSlack: OpenSlack
  readSlackFile: ReadSlackFile
  messageStarter: Pick<MessageStarter, 'start'>
}

/** Handles an event. If it throws, Slack sends the event again, and what was done is not repeated. */
export type HandleSlackEvent = (
  workspace: Workspace,
  channel: OpenedChannel<'slack'>,
  event: SlackEvent,
) => Promise<void>

export function createSlackEvents(deps: Deps): HandleSlackEvent {
  const { db, chat, plans, files, openSlack, readSlackFile, messageStarter } = deps
  return async (workspace, channel, { event_id, event }) => {
    const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspace.id, work)
    if (event.type === 'member_joined_channel' && event.user === channel.settings.bot_user_id)
      return inWorkspace(tx => requeueUnsent(tx, channel.id, event.channel))
    const message = readMessage(channel, event)
    if (!message) return
    const { conversation, user, text, thread, files: messageFiles } = message
    /** Only the person sees the text in a shared conversation. */
    const tell = async (answer: string): Promise<void> => {
      const slack = openSlack(channel.credentials.bot_token)
      if (message.isDirect) await slack.chat.postMessage({ channel: conversation, text: answer })
      else await slack.chat.postEphemeral({ channel: conversation, user, text: answer })
    }

    const code = findLinkCode(text)
    if (code !== undefined && message.isDirect)
      return tell(describeLink(await inWorkspace(tx => linkAccount(tx, channel, user, code))))

    const [principal, receptor] = await inWorkspace(tx =>
      Promise.all([findChannelPrincipal(tx, workspace, channel, user), findReceptor(tx, channel, conversation)]),
    )
    if (!principal) return tell(HELP_UNLINKED)
    if (receptor === undefined) return tell('No agent answers here. Ask an administrator to connect one.')
    const traceId = deriveUuid(`${channel.id} ${conversation} ${thread}`)
    async function send(by: Principal, receptorId: string) {
      // The run has the rights of the receptor's author, so the member's own right to chat is checked here.
      requirePermission(by, 'conversations:write')
      await plans.checkWrite(by)
      const attachments = messageFiles.map(({ id, name = id }) => ({
        name,
        read: () => readSlackFile(channel.credentials.bot_token, id),
      }))
      const content = await storeAttachments(files, by, { text, attachments })
      return chat(by, traceId, { ...content, receptor: receptorId }, buildKey(channel, event_id))
    }
    const job = await send(principal, receptor).catch(async (error: unknown) => {
      if (!isRefusal(error) || isTransient(error)) throw error
      await tell(`The message was not accepted: ${escapeText(error.message)}`)
    })
    if (!job) return
    const { job_id } = job
    const row = { channel_id: channel.id, job_id, recipient: principal.actor, conversation, thread }
    const answer = await inWorkspace(tx => insertAnswerMessage(tx, row))
    if (answer) messageStarter.start(answer)
  }
}

/** Returns undefined for an event that needs no answer, such as a message of a bot. */
function readMessage({ settings }: OpenedChannel<'slack'>, event: SlackEvent['event']): Message | undefined {
  const {
    type,
    subtype,
    channel_type,
    channel: conversation,
    user,
    bot_id,
    text = '',
    ts,
    thread_ts,
    files = [],
  } = event
  const isDirect = type === 'message' && channel_type === 'im'
  if (!isDirect && type !== 'app_mention') return undefined
  if (subtype !== undefined && subtype !== 'file_share' && subtype !== 'thread_broadcast') return undefined
  if (bot_id !== undefined || user === undefined || user === settings.bot_user_id) return undefined
  const said = unescapeText(text.replaceAll(`<@${settings.bot_user_id}>`, '')).trim()
  if (conversation === undefined || ts === undefined || (said === '' && files.length === 0)) return undefined
  return { conversation, user, text: said, thread: thread_ts ?? ts, isDirect, files }
}

const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Returns the id of the receptor that answers in a conversation. A binding to the conversation has precedence. */
async function findReceptor(
  tx: Tx,
  { name, type }: OpenedChannel<'slack'>,
  conversation: string,
): Promise<string | undefined> {
  const bindings = (await listBindings(tx, [name])).flatMap(({ id, binding }) =>
    binding.type === type ? [{ id, binding }] : [],
  )
  const receptor =
    bindings.find(({ binding }) => binding.conversations?.includes(conversation)) ??
    bindings.find(({ binding }) => binding.conversations === undefined)
  return receptor?.id
}

const buildKey = (channel: OpenedChannel<'slack'>, eventId: string) => ({
  key: `slack:${channel.id}:${eventId}`,
  route: 'slack',
  body_hash: hashCanonical(eventId),
})
