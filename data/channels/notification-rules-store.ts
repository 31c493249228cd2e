import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { computed, list, nullable, omit, pick, text, time, uuid, type Row } from '../shared/table.ts'
import { selectAsPublisher } from '../webhooks/event-outbox-store.ts'
import { CONVERSATION, RECIPIENTS } from './recipients.ts'
import { channelsTable, notificationRulesTable } from './tables.ts'

const RULE = {
  ...omit(notificationRulesTable, 'workspace_id', 'channel_id'),
  /** The name of the channel. */
  channel: computed(channelsTable.columns.name, '(select name from channels where id = channel_id)'),
}
export type NotificationRule = Row<typeof RULE>

export type NewNotificationRule = Omit<
  Row<typeof notificationRulesTable.columns>,
  'workspace_id' | 'updated_by' | 'updated_at'
> & { actor: string }

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
    set conversation = excluded.conversation, includes_groups = excluded.includes_groups, events = excluded.events,
        calendar = excluded.calendar, urgent = excluded.urgent, digest_due_at = excluded.digest_due_at,
        updated_by = excluded.updated_by, updated_at = now()`
  const row = { ...rule, updated_by: actor }
  return requireRow(await insertReturning(tx, notificationRulesTable, row, RULE, onConflict))
}

export async function deleteNotificationRule(tx: Tx, subject: string, channelId: string): Promise<void> {
  await execute(tx, 'delete from notification_rules where subject = $1 and channel_id = $2', [subject, channelId])
}

const WORKSPACE = pick(notificationRulesTable, 'workspace_id')

/** Returns workspaces with due digests. */
export async function listDigestWorkspaces(tx: Tx, limit: number): Promise<string[]> {
  const rows = await selectAsPublisher(
    tx,
    WORKSPACE,
    'select distinct workspace_id from notification_rules where digest_due_at <= now() limit $1',
    [limit],
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

const DUE = {
  subject: computed(text(), 'rule.subject'),
  channel_id: computed(uuid(), 'rule.channel_id'),
  calendar: computed(nullable(text()), 'rule.calendar'),
  digest_due_at: computed(time(), 'rule.digest_due_at'),
  /** Where the recipient reads the digest. Null for a member without a linked account. */
  conversation: computed(nullable(text()), CONVERSATION),
}
/** A rule whose digest is due. */
export type DueDigest = Row<typeof DUE>

/** Returns rules whose digest is due, and locks them until the transaction ends. */
export async function takeDueDigests(tx: Tx, limit: number): Promise<DueDigest[]> {
  return select(
    tx,
    DUE,
    `select ${list(DUE)} from notification_rules rule ${RECIPIENTS} where rule.digest_due_at <= now()
      order by rule.digest_due_at limit $1 for update of rule skip locked`,
    [limit],
  )
}

export async function scheduleDigest(
  tx: Tx,
  { subject, channel_id }: Pick<DueDigest, 'subject' | 'channel_id'>,
  at: string | null,
): Promise<void> {
  await execute(tx, 'update notification_rules set digest_due_at = $3 where subject = $1 and channel_id = $2', [
    subject,
    channel_id,
    at,
  ])
}
