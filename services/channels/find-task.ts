import type { MessageToSend } from '../../data/channels/channel-messages-store.ts'
import { isRecipient } from '../../data/channels/recipients.ts'
import { findInterventionsById, type InterventionRecord } from '../../data/people/interventions-store.ts'
import type { Tx } from '../../data/shared/database.ts'

/** Returns the task of a message, and whether the task still goes to the recipient. */
export async function findTask(
  tx: Tx,
  message: MessageToSend,
): Promise<{ task: InterventionRecord | undefined; isMeant: boolean }> {
  const [[task], isMeant] = await Promise.all([
    findInterventionsById(tx, [message.intervention_id ?? '']),
    isRecipient(tx, message),
  ])
  return { task, isMeant }
}
