import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insertReturning, requireRow, selectOne } from '../shared/statements.ts'
import { computed, list, pick, type Row } from '../shared/table.ts'
import { channelsTable, notificationRulesTable } from './tables.ts'

const RULE = {
  ...pick(notificationRulesTable, 'subject', 'conversation', 'includes_groups', 'updated_by', 'updated_at'),
  /** The name of the channel. */
  channel: computed(channelsTable.columns.name, '(select name from channels where id = channel_id)'),
}
export type NotificationRule = Row<typeof RULE>

export interface NewNotificationRule extends Pick<
  Row<typeof notificationRulesTable.columns>,
  'subject' | 'channel_id' | 'conversation' | 'includes_groups'
> {
  actor: string
}

export async function findNotificationRule(
  tx: Tx,
  subject: string,
  channelId: string,
): Promise<NotificationRule | undefined> {
  return selectOne(tx, RULE, `select ${list(RULE)} from notification_rules where subject = $1 and channel_id = $2`, [
    subject,
    channelId,
  ])
}

/** Returns a page of rules, of all subjects or of one, ordered by subject and channel. */
export async function listNotificationRules(
  tx: Tx,
  { subject, limit, offset }: { subject?: string; limit: number; offset: number },
): Promise<Page<NotificationRule>> {
  const conditions = createFilter()
  conditions.where('subject = ?', subject)
  const query = { columns: RULE, from: 'notification_rules', order: 'subject, channel_id', limit, offset }
  return readPage(tx, query, conditions)
}

/** Inserts a rule, or replaces the rule of the subject for this channel. */
export async function saveNotificationRule(tx: Tx, { actor, ...rule }: NewNotificationRule): Promise<NotificationRule> {
  const onConflict = `on conflict (workspace_id, subject, channel_id) do update
    set conversation = excluded.conversation, includes_groups = excluded.includes_groups,
        updated_by = excluded.updated_by, updated_at = now()`
  const row = { ...rule, updated_by: actor }
  return requireRow(await insertReturning(tx, notificationRulesTable, row, RULE, onConflict))
}

export async function deleteNotificationRule(tx: Tx, subject: string, channelId: string): Promise<void> {
  await execute(tx, 'delete from notification_rules where subject = $1 and channel_id = $2', [subject, channelId])
}
