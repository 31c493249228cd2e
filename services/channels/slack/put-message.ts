import type { WebClient } from '@slack/web-api'
import type { MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import type { SlackMessage } from './task-blocks.ts'

/** Where Slack keeps a message. */
export interface PlacedMessage {
  conversation: string
  external_id: string
}

export interface PutMessage {
  /** Sends a message, or updates it if Slack has it. */
  (content: SlackMessage): Promise<void>
  /** Updates a message if Slack has it. Returns false if it was never sent. */
  ifSent(content: SlackMessage): Promise<boolean>
}

/** The metadata by which a message is found after a crash. https://docs.slack.dev/messaging/message-metadata */
const EVENT_TYPE = 'ganglion_message'
/** The largest page. More messages are not posted between the creation of the row and a repeated attempt. */
const MAX_SEARCHED = 999
const MAX_CLOCK_SKEW_SECONDS = 300

/** @param onPlaced records where Slack keeps the message */
export function createPutMessage(
  slack: WebClient,
  message: MessageToSend,
  onPlaced: (placed: PlacedMessage) => Promise<void>,
): PutMessage {
  const { id, thread, attempts, created_at } = message
  const metadata = { event_type: EVENT_TYPE, event_payload: { id } }
  let placed: PlacedMessage | undefined =
    message.external_id === null ? undefined : { ...message, external_id: message.external_id }

  let opening: Promise<string> | undefined
  const findConversation = () => (opening ??= openConversation(message))

  /** The id of a user stands for the direct messages with that user. */
  async function openConversation({ conversation }: MessageToSend): Promise<string> {
    if (!/^[UW]/.test(conversation)) return conversation
    const { channel } = await slack.conversations.open({ users: conversation })
    return channel?.id ?? conversation
  }

  /** An earlier attempt may have sent the message without recording it. */
  async function findSent(conversation: string): Promise<string | undefined> {
    const oldest = String(Date.parse(created_at) / 1_000 - MAX_CLOCK_SKEW_SECONDS)
    const options = { channel: conversation, limit: MAX_SEARCHED, oldest, include_all_metadata: true }
    const { messages = [] } =
      thread === null
        ? await slack.conversations.history(options)
        : await slack.conversations.replies({ ...options, ts: thread })
    return messages.find(({ metadata }) => readId(metadata?.event_payload) === id)?.ts
  }

  async function find(): Promise<PlacedMessage | undefined> {
    if (placed || attempts <= 1) return placed
    const conversation = await findConversation()
    const external_id = await findSent(conversation)
    if (external_id !== undefined) await keep({ conversation, external_id })
    return placed
  }

  async function keep(place: PlacedMessage): Promise<void> {
    await onPlaced(place)
    placed = place
  }

  async function update({ conversation, external_id }: PlacedMessage, content: SlackMessage): Promise<void> {
    await slack.chat.update({ channel: conversation, ts: external_id, ...content, metadata })
  }

  async function send(content: SlackMessage): Promise<void> {
    const conversation = await findConversation()
    const { ts = '' } = await slack.chat.postMessage({
      channel: conversation,
      ...content,
      metadata,
      unfurl_links: false,
      ...(thread !== null && { thread_ts: thread }),
    })
    await keep({ conversation, external_id: ts })
  }

  async function ifSent(content: SlackMessage): Promise<boolean> {
    const place = await find()
    if (place) await update(place, content)
    return place !== undefined
  }

  const put = async (content: SlackMessage) => {
    if (!(await ifSent(content))) await send(content)
  }
  return Object.assign(put, { ifSent })
}

const readId = (payload: object | undefined): unknown => (payload && 'id' in payload ? payload.id : undefined)
