import { findAccountOf } from '../../data/channels/channel-accounts-store.ts'
import { insertReply } from '../../data/channels/channel-messages-store.ts'
import { type AcceptedMessage, listAccepted } from '../../data/channels/received-messages-store.ts'
import { findIntervention } from '../../data/people/interventions-store.ts'
import type { LeasedAnswer } from '../../data/people/pending-answers-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { isVisitorName } from '../../domain/access/principal.ts'
import { findCredentialChannel } from '../../domain/channels/channel.ts'
import type { AnswerInput } from '../../workflows/shared/run/messages.ts'
import { readTitle } from './describe-task.ts'
import { CLOSED } from './email/guests.ts'
import { asksTask } from './email/message-id.ts'

/**
 * Queues a message to the person who gave a rejected answer in a channel. Returns false for an answer from elsewhere,
 * and for a person who is no longer linked.
 */
export async function reportRejection(
  tx: Tx,
  { intervention_id, actor, input }: LeasedAnswer,
  reason: string,
): Promise<boolean> {
  const { via } = (input as unknown as AnswerInput).by
  const channel_id = findCredentialChannel(via?.key_id ?? '')
  const task = await findIntervention(tx, intervention_id)
  if (channel_id === undefined || !task) return false
  const isGuest = isVisitorName(actor)
  const place = isGuest
    ? await findMail(tx, channel_id, { actor, intervention_id })
    : await findAccountPlace(tx, channel_id, actor)
  if (!place) return false
  // A guest must not learn who decided.
  const why = isGuest ? CLOSED : reason
  const reply = `Your answer to “${readTitle(task)}” was not accepted: ${why}`
  await insertReply(tx, { channel_id, intervention_id, recipient: actor, ...place, reply })
  return true
}

/** Finds the mail with a guest's answer. */
async function findMail(
  tx: Tx,
  channelId: string,
  { actor, intervention_id }: Pick<LeasedAnswer, 'actor' | 'intervention_id'>,
): Promise<AcceptedMessage | undefined> {
  const accepted = await listAccepted(tx, channelId, actor)
  return accepted.find(({ received }) => received?.references.some(id => asksTask(id, intervention_id)))
}

async function findAccountPlace(tx: Tx, channelId: string, actor: string): Promise<AcceptedMessage | undefined> {
  const account = await findAccountOf(tx, channelId, actor)
  return account && { conversation: account.external_id, thread: null, received: null }
}
