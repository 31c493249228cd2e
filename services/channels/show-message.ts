import { findInterventionsById } from '../../data/people/interventions-store.ts'
import { hashCanonical } from '../../data/shared/canonical-hash.ts'
import {
  isRecipient,
  type MessageToSend,
  saveSent,
  saveShown,
  saveUnsent,
  takeMessage,
} from '../../data/channels/channel-messages-store.ts'
import { noteResult } from '../../data/channels/channels-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import type { JobEventSource } from '../../domain/runs/job-event-source.ts'
import { buildRunUrl, buildTaskUrl } from '../../domain/shared/console-link.ts'
import type { ShownMessage } from '../../domain/channels/channel.ts'
import { computeRetryDelay } from '../../domain/webhooks/webhook-retries.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'
import { findOpenedChannel, type OpenedChannel } from './open-channel.ts'
import { type ChannelFailure, describeSlackError, type OpenSlack } from './slack/api.ts'
import { followAnswer, PLACEHOLDER, renderAnswer } from './slack/answer.ts'
import { createPutMessage, type PutMessage } from './slack/put-message.ts'
import { renderTask, type SlackMessage, WITHDRAWN } from './slack/task-blocks.ts'

/**
 * Makes the service show the current state of a message's task or run: sends the message or updates it. Repeating a
 * call never sends a second message. After a failure, the message is due later. Throws only if a component is
 * unavailable.
 */
export type ShowMessage = (workspaceId: string, messageId: string, signal: AbortSignal) => Promise<ShownMessage>

const DONE: ShownMessage = { is_due: false }

interface Deps {
  db: Database
  encryption: Encryption
  openSlack: OpenSlack
  events: JobEventSource
  /** The service's public URL. */
  baseUrl?: string
}

type InWorkspace = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** One attempt to show a message. */
interface Showing {
  inWorkspace: InWorkspace
  message: MessageToSend
  put: PutMessage
  signal: AbortSignal
}

export function createShowMessage({ db, encryption, openSlack, events, baseUrl }: Deps): ShowMessage {
  /** Returns the content that Slack shows, or undefined if there is nothing to show: the task was never sent. */
  async function showTask({ inWorkspace, message, put }: Showing): Promise<SlackMessage | undefined> {
    const [[task], isMeant] = await inWorkspace(tx =>
      Promise.all([findInterventionsById(tx, [message.intervention_id ?? '']), isRecipient(tx, message)]),
    )
    if (!task) return undefined
    const taskUrl = baseUrl === undefined ? undefined : buildTaskUrl(baseUrl, task.id)
    const content = isMeant ? renderTask(task, taskUrl) : WITHDRAWN
    if (message.content_hash === hashCanonical(content)) return content
    if (!isMeant || task.status !== 'open') return (await put.ifSent(content)) ? content : undefined
    await put(content)
    return content
  }

  /** Shows an answer while the run writes it. Returns its final state. */
  async function showAnswer({ inWorkspace, message, put, signal }: Showing): Promise<SlackMessage> {
    const jobId = message.job_id ?? ''
    if (message.external_id === null) await put(PLACEHOLDER)
    const written = await followAnswer({ inWorkspace, events, signal }, jobId, put)
    const consoleUrl = baseUrl === undefined ? undefined : buildRunUrl(baseUrl, jobId)
    const content = await inWorkspace(tx => renderAnswer(tx, jobId, { written, consoleUrl }))
    if (message.content_hash !== hashCanonical(content)) await put(content)
    return content
  }

  return async (workspaceId, messageId, signal) => {
    const inWorkspace: InWorkspace = work => db.inWorkspace(workspaceId, work)
    const opened = await inWorkspace(tx => open(tx, encryption, messageId))
    if (!opened) return DONE
    const { message, channel } = opened
    const slack = openSlack(channel.credentials.bot_token, signal)
    const put = createPutMessage(slack, message, placed => inWorkspace(tx => saveSent(tx, messageId, placed)))
    try {
      const showing = { inWorkspace, message, put, signal }
      const content = await (message.intervention_id === null ? showAnswer(showing) : showTask(showing))
      if (!content) {
        await inWorkspace(tx => saveUnsent(tx, messageId, { status: 'skipped', failure: null }))
        return DONE
      }
      return await inWorkspace(async tx => {
        await noteResult(tx, channel.id, null)
        return { is_due: await saveShown(tx, messageId, hashCanonical(content)) }
      })
    } catch (error) {
      signal.throwIfAborted()
      const failure = describeSlackError(error)
      if (!failure) throw error
      return inWorkspace(tx => fail(tx, opened, failure))
    }
  }
}

interface Opened {
  message: MessageToSend
  channel: OpenedChannel
}

/** Returns undefined if the message or its channel was deleted. */
async function open(tx: Tx, encryption: Encryption, messageId: string): Promise<Opened | undefined> {
  const message = await takeMessage(tx, messageId)
  const channel = message && (await findOpenedChannel(tx, encryption, message.channel_id))
  return channel && { message, channel }
}

/** Records a failed attempt, and decides about the next one. */
async function fail(
  tx: Tx,
  { message, channel }: Opened,
  { message: failure, isRetryable, retryAfterMs }: ChannelFailure,
): Promise<ShownMessage> {
  const retryInMs = isRetryable ? computeRetryDelay(message.attempts, retryAfterMs) : undefined
  await noteResult(tx, channel.id, failure)
  await saveUnsent(tx, message.id, { status: retryInMs === undefined ? 'failed' : 'pending', failure, retryInMs })
  return DONE
}
