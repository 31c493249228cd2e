import {
  type MessageToSend,
  postponeMessage,
  saveShown,
  saveUnsent,
  takeMessage,
} from '../../data/channels/channel-messages-store.ts'
import { noteResult } from '../../data/channels/channels-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import type { ChannelType, ShownMessage } from '../../domain/channels/channel.ts'
import { computeRetryDelay } from '../../domain/webhooks/webhook-retries.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'
import { ChannelError, type ChannelFailure, type Showing, type ShowIn, type Shown } from './channel-type.ts'
import { findNotice } from './notifications/notices.ts'
import { findOpenedChannel, type OpenedChannel } from './open-channel.ts'
import { findQuietEnd } from './notifications/quiet-hours.ts'

/**
 * Makes the service show the current state of a message's task or run. After a failure, the message is due later.
 * Throws only if a component is unavailable.
 */
export type ShowMessage = (workspaceId: string, messageId: string, signal: AbortSignal) => Promise<ShownMessage>

const DONE: ShownMessage = { is_due: false }

/** The start of failures that a sent message ends. */
const SOURCES: Partial<Record<ChannelType, string>> = { email: 'SMTP' }

interface Deps {
  db: Database
  encryption: Encryption
  showIn: { [T in ChannelType]: ShowIn<T> }
  /** The service's public URL. */
  baseUrl?: string
}

export function createShowMessage(deps: Deps): ShowMessage {
  const { db, encryption, showIn, baseUrl } = deps
  /** The type of a channel implies how it shows messages. */
  const show = (showing: Showing<ChannelType>): Promise<Shown> =>
    (showIn[showing.channel.type] as ShowIn<ChannelType>)(showing)

  return async (workspaceId, messageId, signal) => {
    const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspaceId, work)
    const opened = await inWorkspace(tx => open(tx, encryption, messageId))
    if (!opened) return DONE
    const { message, channel } = opened
    const quietEnd = await inWorkspace(tx => findQuietEnd(tx, message))
    if (quietEnd !== undefined) {
      await inWorkspace(tx => postponeMessage(tx, messageId, quietEnd))
      return DONE
    }
    const hasNotice = message.notification_id !== null || message.digest_at !== null
    const notice = hasNotice ? await inWorkspace(tx => findNotice(tx, message, baseUrl)) : undefined
    try {
      const result = hasNotice && !notice ? 'skipped' : await show({ channel, message, notice, inWorkspace, signal })
      if (typeof result === 'string') {
        const status = result === 'waiting' ? 'pending' : result
        await inWorkspace(tx => saveUnsent(tx, messageId, { status, failure: null }))
        return DONE
      }
      return await inWorkspace(async tx => {
        await noteResult(tx, channel.id, null, SOURCES[channel.type])
        return { is_due: await saveShown(tx, messageId, result.hash) }
      })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ChannelError)) throw error
      return inWorkspace(tx => fail(tx, opened, error.failure))
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
  { message: failure, isRetryable, retryAfterMs, isAboutMessage = false }: ChannelFailure,
): Promise<ShownMessage> {
  const retryInMs = isRetryable ? computeRetryDelay(message.attempts, retryAfterMs) : undefined
  if (!isAboutMessage) await noteResult(tx, channel.id, failure)
  await saveUnsent(tx, message.id, { status: retryInMs === undefined ? 'failed' : 'pending', failure, retryInMs })
  return DONE
}
