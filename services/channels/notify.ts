import type { Logger } from 'pino'
import { insertDigest, insertTaskMessages } from '../../data/channels/channel-messages-store.ts'
import { listDigestWorkspaces, scheduleDigest, takeDueDigests } from '../../data/channels/notification-rules-store.ts'
import {
  insertNotifications,
  listNotifyingWorkspaces,
  takeNotificationEvents,
} from '../../data/channels/notifications-store.ts'
import { findCalendars } from '../../data/people/calendars-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { createLoop, type Loop } from '../shared/loop.ts'
import { findNextDigest } from './digest-time.ts'

interface Deps {
  db: Database
  /** Called when messages are due. */
  onMessages: () => void
  log: Logger
}

const IDLE_MS = 5_000
const MAX_WORKSPACES = 100
const BATCH = 100

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
      for (const id of eventWorkspaces) {
        if (signal.aborted) return IDLE_MS
        const batch = await db.inWorkspace(id, notifyBatch)
        messages += batch.messages
        isMore ||= batch.events === BATCH
      }
      for (const id of digestWorkspaces) messages += await db.inWorkspace(id, queueDigests)
      if (messages > 0) onMessages()
      return isMore ? 0 : IDLE_MS
    },
  })
}

async function notifyBatch(tx: Tx): Promise<{ events: number; messages: number }> {
  const events = await takeNotificationEvents(tx, BATCH)
  const tasks = events.flatMap(({ type, subject }) => (type.startsWith('intervention.') ? [subject] : []))
  const messages = (await insertTaskMessages(tx, [...new Set(tasks)])) + (await insertNotifications(tx, events))
  return { events: events.length, messages }
}

/** Queues the digests that are due, and schedules the next ones. */
async function queueDigests(tx: Tx): Promise<number> {
  const rules = await takeDueDigests(tx, BATCH)
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
