import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../data/database.ts'
import { deleteEvents, type OutboxEvent, takeEvents } from '../../data/event-outbox-store.ts'
import { insertDeliveries, type NewDelivery } from '../../data/webhook-deliveries-store.ts'
import type { WorkspaceEvent } from '../../domain/events.ts'
import type { PublishEvents } from '../../streams/event-publisher.ts'
import type { WakeUp } from './wake-up.ts'

/** Publishes the events of the outbox to the streams of their workspaces and to webhooks. */
export interface EventPublishing {
  /** Runs until the signal aborts. Several processes may run it: one at a time publishes. */
  run(signal: AbortSignal): Promise<void>
  /** Publishes one batch. Returns the number of its events. */
  publishBatch(): Promise<number>
}

interface Deps {
  db: Database
  publish: PublishEvents
  /** Calls `onWake` at each commit of events, until the signal aborts; throws when the connection is lost. */
  listen: (onWake: () => void, signal: AbortSignal) => Promise<void>
  /** Called when there may be deliveries to start. */
  onDeliveries: () => void
  wakeUp: WakeUp
  log: Logger
}

/** Below the number of events that Redis recognizes when they are published again. */
const BATCH = 200
/** Interval of looks at the outbox without a wake-up: it bounds the delay after a lost connection or a killed publisher. */
const IDLE_MS = 5_000
const RETRY_MS = 1_000

export function createEventPublishing(deps: Deps): EventPublishing {
  const { db, publish, listen, onDeliveries, wakeUp, log } = deps

  /**
   * The events are in Redis before the rows are deleted. If the transaction fails or the process is killed in between, the
   * rows are published again, and Redis leaves out what it has.
   */
  async function publishBatch(): Promise<number> {
    const published = await db.system(async tx => {
      const taken = await takeEvents(tx, BATCH)
      if (!taken || taken.length === 0) return { events: 0, deliveries: 0 }
      const built = taken.map(row => ({ row, workspace_id: row.workspace_id, event: toEvent(row) }))
      await publish(built)
      const deliveries = await insertDeliveries(tx, built.map(toDelivery))
      await deleteEvents(
        tx,
        taken.map(({ id }) => id),
      )
      return { events: taken.length, deliveries }
    })
    if (published.deliveries > 0) onDeliveries()
    return published.events
  }

  /** Logs each failure once, and the recovery once. */
  let isFailing = false
  async function publishAll(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted && (await publishBatch()) > 0);
      if (isFailing) log.info('publishing events recovered')
      isFailing = false
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'publishing events failed; retrying')
      isFailing = true
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
      wakeUp.wake()
    }
  }

  async function keepListening(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await listen(() => wakeUp.wake(), signal).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, 'listening for events failed; retrying')
      })
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    publishBatch,
    async run(signal) {
      const listening = keepListening(signal)
      while (!signal.aborted) {
        await publishAll(signal)
        await wakeUp.wait(IDLE_MS, signal)
      }
      await listening
    },
  }
}

const toEvent = ({ event_id: id, type, subject, at }: OutboxEvent): WorkspaceEvent => ({ id, type, ...subject, at })

const toDelivery = ({ row, event }: { row: OutboxEvent; event: WorkspaceEvent }): NewDelivery => ({
  workspace_id: row.workspace_id,
  brain_id: row.brain_id,
  event_id: event.id,
  event_type: event.type,
  body: JSON.stringify(event),
})
