import type { Logger } from 'pino'
import { insertDigest, insertTaskMessages, markMessagesDue } from '../../../data/channels/channel-messages-store.ts'
import {
  listDigestWorkspaces,
  scheduleDigest,
  takeDueDigests,
} from '../../../data/channels/notification-rules-store.ts'
import {
  insertNotifications,
  listNotifyingWorkspaces,
  type QueuedEvent,
  takeNotificationEvents,
} from '../../../data/channels/notifications-store.ts'
import { findCalendars } from '../../../data/people/calendars-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { createLoop, type Loop } from '../../shared/loop.ts'
import { findNextDigest } from './digest-time.ts'

interface Deps {
  db: Database
  /** Called when messages are due. */
  onMessages: () => void
  log: Logger
}

const IDLE_MS = 5_000
const MAX_WORKSPACES = 100
/** An event can have 1,000 recipients, and a statement has a time limit. */
const EVENT_BATCH = 5
const DIGEST_BATCH = 100

/**
 * Creates the loop that notifies people of events and queues digests. Each batch is one transaction of a workspace, so
 * that an event is neither lost nor notified twice. Several processes may run the loop.
 */
export function createNotifying({ db, onMessages, log }: Deps): Loop {
  return createLoop({
    name: 'notifying people',
    idleMs: IDLE_MS,
    log,
    async round(signal) {
      const [eventWorkspaces, digestWorkspaces] = await db.system(tx =>
        Promise.all([listNotifyingWorkspaces(tx, MAX_WORKSPACES), listDigestWorkspaces(tx, MAX_WORKSPACES)]),
      )
      let isMore = eventWorkspaces.length === MAX_WORKSPACES
      let messages = 0
      const failures: unknown[] = []
      /** Continues with the other workspaces after a failure. */
      const attempt = <T>(id: string, work: (tx: Tx) => Promise<T>): Promise<T | undefined> =>
        db.inWorkspace(id, work).catch((error: unknown) => {
          failures.push(error)
          return undefined
        })

      for (const id of eventWorkspaces) {
        if (signal.aborted) return IDLE_MS
        const batch = await attempt(id, notifyBatch)
        messages += batch?.messages ?? 0
        isMore ||= batch?.events === EVENT_BATCH
      }
      for (const id of digestWorkspaces) messages += (await attempt(id, queueDigests)) ?? 0
      if (messages > 0) onMessages()
      if (failures.length > 0) throw failures[0]
      return isMore ? 0 : IDLE_MS
    },
  })
}

async function notifyBatch(tx: Tx): Promise<{ events: number; messages: number }> {
  const events = await takeNotificationEvents(tx, EVENT_BATCH)
  // The mail to the guest shows it already.
  const changes = events.filter(({ type }) => type !== 'intervention.unanswerable')
  const isAboutTask = ({ type }: QueuedEvent) => type.startsWith('intervention.')
  const messages =
    (await markMessagesDue(tx, listSubjects(changes))) +
    (await insertTaskMessages(tx, listSubjects(changes.filter(isAboutTask)))) +
    (await insertNotifications(tx, events))
  return { events: events.length, messages }
}

const listSubjects = (events: QueuedEvent[]): string[] => [...new Set(events.map(({ subject }) => subject))]

/** Queues the digests that are due, and schedules the next ones. */
async function queueDigests(tx: Tx): Promise<number> {
  const rules = await takeDueDigests(tx, DIGEST_BATCH)
  const calendars = await findCalendars(
    tx,
    rules.flatMap(({ calendar }) => calendar ?? []),
  )
  for (const { subject: recipient, channel_id, conversation, digest_due_at, calendar } of rules) {
    const next = findNextDigest(calendars.get(calendar ?? ''), new Date())
    await scheduleDigest(tx, { subject: recipient, channel_id }, next)
    if (conversation !== null) await insertDigest(tx, { recipient, channel_id, conversation, digest_at: digest_due_at })
  }
  return rules.length
}
