import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../data/shared/database.ts'
import { deleteTriggerEvent, type DueTriggerEvent } from '../../../data/triggers/trigger-events-store.ts'
import { insertFiring } from '../../../data/triggers/trigger-firings-store.ts'
import { lockTrigger, noteDecision } from '../../../data/triggers/trigger-states-store.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import type { Firing } from '../../../data/triggers/trigger-firings-store.ts'

/** Builds the event that the trigger receives. Messages are never merged. */
export const buildFiredEvent = ({ event, merged }: DueTriggerEvent): JsonObject =>
  'event_type' in event ? { ...event, merged } : event

/** Builds the firing key of a queued event. */
export const buildFiringKey = (dedupeKey: string): string => `event:${dedupeKey}`

/** Stores a decision that requires no evaluation, and removes the event from the queue. */
export async function decide(
  tx: Tx,
  due: DueTriggerEvent,
  { decision, reason, depth }: Pick<Firing, 'decision' | 'reason' | 'depth'>,
): Promise<void> {
  const head = await lockTrigger(tx, due.trigger_id)
  await deleteTriggerEvent(tx, due.id)
  if (!head) return
  const { id, slug, brain_id, version, document } = head
  const { trigger_type: source } = document as TriggerDocument
  const firing = await insertFiring(tx, {
    id: randomUUIDv7(),
    brain_id,
    trigger_id: id,
    trigger_version: version,
    source,
    decision,
    reason,
    job_id: null,
    dedupe_key: buildFiringKey(due.dedupe_key),
    duplicate_of: null,
    depth,
    fired_by: null,
    event: { ...buildFiredEvent(due), type: source, at: due.at, trigger: { id, slug } },
    input: null,
    workflow_id: null,
    people: [],
  })
  if (firing && decision !== 'filtered') await noteDecision(tx, id, { decision, reason })
}
