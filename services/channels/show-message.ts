import { type MessageToSend, saveShown, saveUnsent, takeMessage } from '../../data/channels/channel-messages-store.ts'
import { noteResult } from '../../data/channels/channels-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import type { ShownMessage } from '../../domain/channels/channel.ts'
import { computeRetryDelay } from '../../domain/webhooks/webhook-retries.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'
import type { ChannelFailure, ShowIn } from './channel-type.ts'
import { findOpenedChannel, type OpenedChannel } from './open-channel.ts'
import { describeSlackError } from './slack/api.ts'

/**
 * Makes the service show the current state of a message's task or run. After a failure, the message is due later.
 * Throws only if a component is unavailable.
 */
export type ShowMessage = (workspaceId: string, messageId: string, signal: AbortSignal) => Promise<ShownMessage>

const DONE: ShownMessage = { is_due: false }

interface Deps {
  db: Database
  encryption: Encryption
  showInSlack: ShowIn<'slack'>
}

export function createShowMessage({ db, encryption, showInSlack }: Deps): ShowMessage {
  return async (workspaceId, messageId, signal) => {
    const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspaceId, work)
    const opened = await inWorkspace(tx => open(tx, encryption, messageId))
    if (!opened) return DONE
    const { message, channel } = opened
    try {
      const shown = await showInSlack({ channel, message, inWorkspace, signal })
      if (typeof shown === 'string') {
        const status = shown === 'waiting' ? 'pending' : shown
        await inWorkspace(tx => saveUnsent(tx, messageId, { status, failure: null }))
        return DONE
      }
      return await inWorkspace(async tx => {
        await noteResult(tx, channel.id, null)
        return { is_due: await saveShown(tx, messageId, shown.hash) }
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
