import type { Tx } from '../../../data/shared/database.ts'
import { findChatTriggers, insertTriggerEvents } from '../../../data/triggers/trigger-events-store.ts'
import type { TraceTurn } from '../../../domain/agents/run-spec.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { type ChatSettings, findMatch } from '../../../domain/triggers/types/chat.ts'
import { contextBrain } from '../../access/brains.ts'

/** The messages in one turn of a thread. */
interface SentMessages extends TraceTurn {
  job_id: string
  receptor_id?: string
  messages: { role: string; content: string }[]
}

/**
 * Queues messages for matching chat triggers, in the transaction that stores the messages. Messages sent by a trigger
 * do not fire triggers.
 */
export async function queueChatMessages(tx: Tx, principal: Principal, batch: SentMessages): Promise<void> {
  if (isTrigger(principal)) return
  const { trace_id, turn, job_id, receptor_id = null } = batch
  const { workspace_id, actor: by } = principal
  const place = { trace_id, receptor_id, brain_id: contextBrain(principal) }
  const triggers = await findChatTriggers(tx, place)
  const messages = triggers.length === 0 ? [] : batch.messages.filter(({ role }) => role === 'user')
  const at = new Date().toISOString()
  const queued = messages.flatMap(({ content: message }, i) =>
    triggers.flatMap(({ id, settings }) => {
      const matched = findMatch(settings, message)
      if (matched === undefined && !isForRouter(settings)) return []
      return {
        workspace_id,
        trigger_id: id,
        dedupe_key: `${trace_id}/${turn}/${i}`,
        event: { message, ...(matched !== undefined && { matched }), trace_id, turn, job_id, receptor_id, by },
        at,
        causes: [job_id],
        subjects: [],
        merged: 1,
      }
    }),
  )
  if (queued.length > 0) await insertTriggerEvents(tx, queued)
}

/** Matches the principal names assigned by `findTriggerPrincipal`. */
const isTrigger = ({ key_id }: Principal) => key_id.startsWith('trigger:')

/** If there are no phrases or mentions, the router receives all messages. */
const isForRouter = ({ phrases, mentions, router }: ChatSettings) =>
  router !== undefined && phrases.length + mentions.length === 0
