import { insertAnswerMessage, requeueUnsent } from '../../../data/channels/channel-messages-store.ts'
import type { Workspace } from '../../../data/access/access-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import { findLinkCode, linkAccount } from '../accounts.ts'
import { listBindings } from '../bindings.ts'
import { findChannelPrincipal } from '../find-principal.ts'
import type { OpenedChannel } from '../open-channel.ts'
import { buildMessageKey, NO_RECEPTOR, type SendToReceptor } from '../send-to-receptor.ts'
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
  sendToReceptor: SendToReceptor
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
  const { db, sendToReceptor, openSlack, readSlackFile, messageStarter } = deps
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
      return tell(await inWorkspace(tx => linkAccount(tx, channel, user, code)))

    const [principal, receptor] = await inWorkspace(tx =>
      Promise.all([findChannelPrincipal(tx, workspace, channel, user), findReceptor(tx, channel, conversation)]),
    )
    if (!principal) return tell(HELP_UNLINKED)
    if (receptor === undefined) return tell(NO_RECEPTOR)
    const result = await sendToReceptor(principal, {
      traceId: deriveUuid(`${channel.id} ${conversation} ${thread}`),
      receptor,
      text,
      attachments: messageFiles.map(({ id, name = id }) => ({
        name,
        read: () => readSlackFile(channel.credentials.bot_token, id),
      })),
      idempotency: buildMessageKey(channel, event_id),
    })
    if ('refusal' in result) return tell(escapeText(result.refusal))
    const { job_id } = result
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
