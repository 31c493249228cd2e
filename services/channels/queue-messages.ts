import { type ChangedSubject, queueMessages } from '../../data/channels/channel-messages-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { PublishedEvent } from '../triggers/events/queue-events.ts'

/** Events after which the answer of a run looks different in a channel. */
const RUN_EVENTS = new Set<EventType>(['job.waiting', 'job.resumed', 'job.completed', 'job.failed', 'job.cancelled'])

/**
 * Queues the messages about the tasks and runs of events, in the publisher's transaction. Returns the number of
 * messages that are due.
 */
export const queueChannelMessages = (tx: Tx, events: PublishedEvent[]): Promise<number> =>
  queueMessages(tx, events.flatMap(findSubject))

function findSubject({ row: { workspace_id }, event }: PublishedEvent): ChangedSubject[] {
  const { type, intervention, job } = event
  if (intervention) return [{ workspace_id, id: intervention.id }]
  return job && RUN_EVENTS.has(type) ? [{ workspace_id, id: job.id }] : []
}
