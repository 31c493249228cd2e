import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { listenForEvents, SleepLock } from '../../data/webhooks/event-listener.ts'
import type { Database } from '../../data/shared/database.ts'
import { deleteEvents, type OutboxEvent, takeEvents } from '../../data/webhooks/event-outbox-store.ts'
import { findChangedTriggers } from '../../data/triggers/trigger-states-store.ts'
import { insertDeliveries, type NewDelivery } from '../../data/webhooks/webhook-deliveries-store.ts'
import type { WorkspaceEvent } from '../../domain/webhooks/events.ts'
import type { PublishEvents } from '../../streams/event-publisher.ts'
import { queueChannelMessages } from '../channels/notifications/queue-messages.ts'
import { queueTriggerEvents } from '../triggers/events/queue-events.ts'
import { createLoop } from '../shared/loop.ts'
import type { WakeUp } from '../shared/wake-up.ts'

/** Publishes outbox events to workspace streams, webhooks, channels and triggers. */
export interface EventPublishing {
  /** Runs until the signal aborts. Several processes may run this loop, but only one publishes at a time. */
  run(signal: AbortSignal): Promise<void>
  /** Publishes one batch. Returns the number of published events, or undefined while another process publishes. */
  publishBatch(): Promise<number | undefined>
}

interface Deps {
  db: Database
  publish: PublishEvents
  /** Calls `lead` once this process becomes the publisher, and `onWake` to wake it up. */
  listen: (listening: Parameters<typeof listenForEvents>[1]) => Promise<void>
  /** Called when there may be deliveries or messages to start, or triggers to fire. */
  onDeliveries: () => void
  /** Called when a trigger change may affect its schedule or health. */
  onTriggerChanges: () => void
  wakeUp: WakeUp
  log: Logger
}

/** Lower than the number of events that Redis can deduplicate if they are published again. */
const BATCH = 200
/** Polling interval for the outbox when no wake-up occurs. It limits the delay if the leading process is stuck. */
const IDLE_MS = 5_000
/**
 * Time to collect events for the next batch. The pause also keeps the publisher from delaying the change that wakes
 * it up.
 */
const GATHER_MS = 20
const RETRY_MS = 1_000

export function createEventPublishing(deps: Deps): EventPublishing {
  const { db, publish, listen, onDeliveries, onTriggerChanges, wakeUp, log } = deps

  /**
   * The events reach Redis before the rows are deleted. If the transaction fails or the process is killed in between,
   * the rows are published again, and Redis skips duplicates.
   */
  async function publishBatch(): Promise<number | undefined> {
    const published = await db.system(async tx => {
      const batch = await takeEvents(tx, BATCH)
      if (!batch || batch.length === 0) return { events: batch?.length, deliveries: 0, hasChangedTriggers: false }
      const built = batch.map(row => ({ row, workspace_id: row.workspace_id, event: toEvent(row) }))
      await publish(built)
      const deliveries =
        (await insertDeliveries(tx, built.map(createDelivery))) +
        (await queueTriggerEvents(tx, built)) +
        (await queueChannelMessages(tx, built))
      const ids = batch.map(({ id }) => id)
      const [hasChangedTriggers] = await Promise.all([findChangedTriggers(tx), deleteEvents(tx, ids)])
      return { events: batch.length, deliveries, hasChangedTriggers }
    })
    if (published.deliveries > 0) onDeliveries()
    if (published.hasChangedTriggers) onTriggerChanges()
    return published.events
  }

  let isLeading = false
  const publishing = createLoop({
    name: 'publishing events',
    round: async signal => {
      while (!signal.aborted && (await publishBatch()) === BATCH);
    },
    idleMs: 0,
    retryMs: RETRY_MS,
    log,
  })

  /** Publishes committed events, and sleeps while there are none. */
  async function lead(sleepLock: SleepLock, signal: AbortSignal): Promise<void> {
    isLeading = true
    try {
      while (!signal.aborted) {
        const waitMs = await publishing.attempt(signal)
        if (waitMs > 0) await sleep(waitMs, undefined, { signal })
        if (await sleepLock.take()) {
          if ((await publishBatch()) === 0) await wakeUp.wait(IDLE_MS, signal)
          if (!signal.aborted) await sleepLock.release()
        }
        await sleep(GATHER_MS, undefined, { signal })
      }
    } finally {
      isLeading = false
    }
  }

  const listening = createLoop({
    name: 'listening for events',
    round: signal => listen({ onWake: () => wakeUp.wake(), lead, signal }),
    idleMs: RETRY_MS,
    log,
  })

  /** Publishes if the leading process does not. */
  const standBy = createLoop({
    name: 'publishing events',
    round: async signal => {
      if (!isLeading) await publishing.attempt(signal)
    },
    idleMs: IDLE_MS,
    log,
  })

  return {
    publishBatch,
    run: async signal => void (await Promise.all([listening.run(signal), standBy.run(signal)])),
  }
}

const toEvent = ({ event_id: id, type, subject, at }: OutboxEvent): WorkspaceEvent => ({ id, type, ...subject, at })

const createDelivery = ({ row, event }: { row: OutboxEvent; event: WorkspaceEvent }): NewDelivery => ({
  workspace_id: row.workspace_id,
  brain_id: row.brain_id,
  event_id: event.id,
  event_type: event.type,
  body: JSON.stringify(event),
})
