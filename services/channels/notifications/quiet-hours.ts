import type { MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import { findNotificationRule } from '../../../data/channels/notification-rules-store.ts'
import { findNotification } from '../../../data/channels/notifications-store.ts'
import { findCalendars } from '../../../data/people/calendars-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { findWorkingTime } from '../../../domain/people/working-time.ts'

/**
 * Returns when a new message may be sent, according to the calendar of its notification rule. Returns undefined if the
 * message may be sent now. Answers, digests and repeated attempts never wait.
 */
export async function findQuietEnd(tx: Tx, message: MessageToSend): Promise<string | undefined> {
  const { recipient, channel_id, notification_id } = message
  if (message.attempts > 1 || message.external_id !== null) return undefined
  if (message.job_id !== null || message.reply !== null || message.digest_at !== null) return undefined
  const rule = await findNotificationRule(tx, recipient, channel_id)
  if (!rule || rule.calendar === null) return undefined
  const notification = notification_id === null ? undefined : await findNotification(tx, notification_id)
  if (rule.urgent.includes(notification?.type ?? 'intervention.requested')) return undefined
  const calendar = (await findCalendars(tx, [rule.calendar])).get(rule.calendar)
  const now = new Date().toISOString()
  const at = calendar && findWorkingTime(calendar, now)
  return at !== undefined && at > now ? at : undefined
}
