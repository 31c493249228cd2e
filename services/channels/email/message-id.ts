import type { MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'

const CHANGE_CHARS = 16

/** Derives a Message-ID from the message's row and the change that the mail announces. */
export function buildMessageId(
  { id, received, content_hash }: Pick<MessageToSend, 'id' | 'received' | 'content_hash'>,
  hash: string,
  from: string,
): string {
  // A task can return to an earlier state. A reply announces each state once.
  const change = hashChange(received ? null : content_hash, hash)
  return `<${id}.${change}@${from.slice(from.lastIndexOf('@') + 1)}>`
}

/** The state that a mail announces when a run asks a guest a question. */
export const buildAskedState = (interventionId: string) => ({ change: 'asked', task: interventionId })

/** Returns whether a mail with this Message-ID asks a guest to answer the task. */
export const asksTask = (messageId: string, interventionId: string): boolean =>
  ID.exec(messageId)?.groups?.['change'] === hashChange(null, hashCanonical(buildAskedState(interventionId)))

/** Returns the id of the message's row, or undefined for a Message-ID of another program. */
export function findMessageRow(messageId: string): string | undefined {
  const id = ID.exec(messageId)?.groups?.['id']
  return id !== undefined && isUuid(id) ? id : undefined
}

const ID = new RegExp(`^<(?<id>[0-9a-f-]{36})\\.(?<change>[0-9a-f]{${CHANGE_CHARS}})@`)

const hashChange = (before: string | null, after: string): string =>
  hashCanonical([before, after]).slice(0, CHANGE_CHARS)
