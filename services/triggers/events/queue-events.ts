import type { Tx } from '../../../data/shared/database.ts'
import type { OutboxEvent } from '../../../data/webhooks/event-outbox-store.ts'
import {
  findEventTriggers,
  insertTriggerEvents,
  type ListeningTrigger,
  type NewTriggerEvent,
} from '../../../data/triggers/trigger-events-store.ts'
import type { WorkspaceEvent } from '../../../domain/webhooks/events.ts'
import { findDebounceKey, matchesEvent, toTriggerEvent } from '../../../domain/triggers/types/event.ts'
import { buildIndexedCause } from './causes.ts'

/** A workspace event with the outbox row from which it was built. */
export interface PublishedEvent {
  row: OutboxEvent
  event: WorkspaceEvent
}

/**
 * Queues events for their triggers in the publisher's transaction, so that an event is queued if and only if it is
 * published. Returns the number of queued events.
 */
export async function queueTriggerEvents(tx: Tx, events: PublishedEvent[]): Promise<number> {
  const workspaces = new Set(events.map(({ row }) => row.workspace_id))
  const triggers = Map.groupBy(await findEventTriggers(tx, [...workspaces]), trigger => trigger.workspace_id)
  if (triggers.size === 0) return 0
  const queued = events.flatMap(published =>
    (triggers.get(published.row.workspace_id) ?? []).flatMap(trigger =>
      waitsFor(trigger, published) ? [createTriggerEvent(trigger, published)] : [],
    ),
  )
  await insertTriggerEvents(tx, mergeDebounced(queued))
  return queued.length
}

/**
 * A trigger in a brain receives the events of this brain and of the workspace, except events about the trigger
 * itself.
 */
function waitsFor({ id, brain_id, settings }: ListeningTrigger, { row, event }: PublishedEvent): boolean {
  const isVisible = brain_id === null || row.brain_id === null || brain_id === row.brain_id
  return isVisible && (event.resource ?? event.trigger)?.id !== id && matchesEvent(settings, event)
}

function createTriggerEvent(
  { id, workspace_id, settings }: ListeningTrigger,
  { row, event }: PublishedEvent,
): NewTriggerEvent {
  const key = findDebounceKey(settings, event)
  return {
    workspace_id,
    trigger_id: id,
    dedupe_key: event.id,
    event: toTriggerEvent(event),
    at: event.at,
    causes: [findCause(row, event)],
    subjects: [event.resource ?? event.intervention].flatMap(subject => subject?.id ?? []),
    merged: 1,
    ...(key !== undefined && settings.debounce && { debounce: { key, seconds: settings.debounce.seconds } }),
  }
}

function findCause({ cause }: OutboxEvent, { type, resource, job, intervention }: WorkspaceEvent): string | null {
  if (type === 'resource.indexed' && resource) return buildIndexedCause(resource.id)
  return (job ?? intervention)?.root_job_id ?? cause
}

/** Merges debounced events that have the same key into the latest event. */
function mergeDebounced(events: NewTriggerEvent[]): NewTriggerEvent[] {
  const merged = new Map<string, NewTriggerEvent>()
  for (const event of events) {
    const key = `${event.trigger_id} ${event.debounce ? `debounce ${event.debounce.key}` : event.dedupe_key}`
    const earlier = merged.get(key)
    merged.set(
      key,
      earlier
        ? {
            ...event,
            causes: [...earlier.causes, ...event.causes],
            subjects: [...earlier.subjects, ...event.subjects],
            merged: earlier.merged + event.merged,
          }
        : event,
    )
  }
  return [...merged.values()]
}
