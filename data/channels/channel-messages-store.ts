import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insert, insertReturning, select, selectOne } from '../shared/statements.ts'
import { list, listTypes, omit, pick, text, type Row } from '../shared/table.ts'
import { type LeaseLimits, leaseUnstartedRows } from '../webhooks/event-outbox-store.ts'
import { channelMessagesTable } from './tables.ts'

/** `skipped`: the task was closed before the message could be sent. */
export type MessageStatus = 'pending' | 'sent' | 'skipped' | 'failed'

const MESSAGE = omit(channelMessagesTable, 'workspace_id', 'channel_id', 'content_hash', 'start_due_at')
/** An entry of a channel's log. */
export type ChannelMessage = Row<typeof MESSAGE>

const UNSTARTED = pick(channelMessagesTable, 'id', 'workspace_id')
/** A message whose workflow has not started. */
export type UnstartedMessage = Row<typeof UNSTARTED>

const CHANGED = {
  ...pick(channelMessagesTable, 'workspace_id'),
  /** The id of a task or a run. */
  id: text(),
}
/** A task or a run that has changed. */
export type ChangedSubject = Row<typeof CHANGED>

/** The channels, members and accounts of notification rules. */
export const RECIPIENTS = `
  join channels channel on channel.id = rule.channel_id
  left join members member on member.workspace_id = rule.workspace_id and member.actor = rule.subject
  left join channel_accounts account on account.channel_id = rule.channel_id and account.actor = rule.subject`

/**
 * Where a rule sends messages: to a group's conversation, to a member's linked account, or to the only conversation of a
 * Teams workflow. Null for none of them.
 */
export const CONVERSATION = `coalesce(rule.conversation, case when member.actor is not null then account.external_id end,
  case channel.type when 'teams' then channel.name end)`

/** Whether a rule sends a task. */
const IS_RECIPIENT = `
  ${CONVERSATION} is not null
  and rule.subject <> all (task.excluded)
  and (rule.subject = any (task.assignees) or (rule.includes_groups and member.groups && task.assignees))`

/** Returns whether the task of a message still goes to its recipient. */
export async function isRecipient(
  tx: Tx,
  { channel_id, intervention_id, recipient }: Pick<MessageToSend, 'channel_id' | 'intervention_id' | 'recipient'>,
): Promise<boolean> {
  const count = await execute(
    tx,
    `select from interventions task join notification_rules rule on rule.channel_id = $1 and rule.subject = $3
       ${RECIPIENTS} where task.id = $2 and ${IS_RECIPIENT}`,
    [channel_id, intervention_id, recipient],
  )
  return count > 0
}

/**
 * Makes the messages about tasks and runs due, so that they show the current state. Requires a publisher transaction.
 * Returns the number of messages that are due.
 */
export async function markMessagesDue(tx: Tx, changed: ChangedSubject[]): Promise<number> {
  if (changed.length === 0) return 0
  return execute(
    tx,
    `update channel_messages message set start_due_at = now()
       from json_to_recordset($1::json) as changed (${listTypes(CHANGED)})
      where message.workspace_id = changed.workspace_id
        and (message.intervention_id = changed.id or message.job_id = changed.id)`,
    [JSON.stringify(changed)],
  )
}

/**
 * Inserts a message for each recipient of open tasks, according to the notification rules. Returns the number of new
 * messages.
 */
export async function insertTaskMessages(tx: Tx, taskIds: string[]): Promise<number> {
  if (taskIds.length === 0) return 0
  return execute(
    tx,
    `insert into channel_messages (id, channel_id, intervention_id, recipient, conversation)
     select gen_random_uuid(), rule.channel_id, task.id, rule.subject, ${CONVERSATION}
       from interventions task
       join notification_rules rule on rule.events is null or 'intervention.requested' = any(rule.events)
       ${RECIPIENTS}
      where task.id = any($1) and task.status = 'open' and task.opened_at is not null and ${IS_RECIPIENT}
     on conflict do nothing`,
    [taskIds],
  )
}

/** Inserts the message with a digest. */
export async function insertDigest(
  tx: Tx,
  digest: Pick<ChannelMessage, 'recipient' | 'conversation'> & { channel_id: string; digest_at: string },
): Promise<void> {
  await insert(tx, channelMessagesTable, { id: randomUUIDv7(), ...digest })
}

/** Postpones the first attempt to send a message. */
export async function postponeMessage(tx: Tx, id: string, until: string): Promise<void> {
  await execute(tx, 'update channel_messages set start_due_at = $2, attempts = 0 where id = $1', [id, until])
}

/** Inserts the message that shows the answer of a run. Returns undefined if it exists. */
export async function insertAnswerMessage(
  tx: Tx,
  message: Pick<ChannelMessage, 'recipient' | 'conversation' | 'thread'> & { channel_id: string; job_id: string },
): Promise<UnstartedMessage | undefined> {
  const row = { id: randomUUIDv7(), ...message }
  return insertReturning(tx, channelMessagesTable, row, UNSTARTED, 'on conflict do nothing')
}

/** Leases messages whose workflow has not started. */
export const leaseUnstartedMessages = (tx: Tx, limits: LeaseLimits): Promise<UnstartedMessage[]> =>
  leaseUnstartedRows(tx, channelMessagesTable, UNSTARTED, limits)

const TO_SEND = omit(channelMessagesTable, 'workspace_id', 'status', 'failure', 'updated_at', 'start_due_at')
/** The fields that the delivery of a message needs. */
export type MessageToSend = Row<typeof TO_SEND>

/**
 * Returns a message for its workflow, and counts the attempt. The count is stored before anything is sent, so that a
 * later attempt knows that an earlier one may have sent the message.
 */
export async function takeMessage(tx: Tx, id: string): Promise<MessageToSend | undefined> {
  return selectOne(
    tx,
    TO_SEND,
    `update channel_messages set start_due_at = null, attempts = attempts + 1 where id = $1 returning ${list(TO_SEND)}`,
    [id],
  )
}

/** Records where the service keeps a message, as soon as it is sent. */
export async function saveSent(
  tx: Tx,
  id: string,
  { conversation, external_id }: { conversation: string; external_id: string },
): Promise<void> {
  await execute(
    tx,
    `update channel_messages set conversation = $2, external_id = $3, updated_at = now() where id = $1`,
    [id, conversation, external_id],
  )
}

/** Records the content that the service shows. Resets the attempts. Returns whether the message is due again. */
export async function saveShown(tx: Tx, id: string, contentHash: string): Promise<boolean> {
  const rows = await select(
    tx,
    pick(channelMessagesTable, 'start_due_at'),
    `update channel_messages set status = 'sent', content_hash = $2, failure = null, attempts = 0, updated_at = now()
      where id = $1 returning start_due_at`,
    [id, contentHash],
  )
  return rows.some(({ start_due_at }) => start_due_at !== null)
}

/** Records the status of a message that is not shown, with the reason. A pending message is due after the delay. */
export async function saveUnsent(
  tx: Tx,
  id: string,
  {
    status,
    failure,
    retryInMs,
  }: { status: Exclude<MessageStatus, 'sent'>; failure: string | null; retryInMs?: number },
): Promise<void> {
  await execute(
    tx,
    `update channel_messages
        set status = $2, failure = $3, updated_at = now(),
            start_due_at = least(start_due_at, now() + make_interval(secs => $4::double precision))
      where id = $1`,
    [id, status, failure, retryInMs === undefined ? null : retryInMs / 1_000],
  )
}

/**
 * Makes the messages of the last day due that a channel has failed to show, with all attempts.
 * @param conversation limits the messages to those of one conversation
 */
export async function requeueUnsent(tx: Tx, channelId: string, conversation?: string): Promise<void> {
  await execute(
    tx,
    `update channel_messages set start_due_at = now(), attempts = least(attempts, 1), status = 'pending'
      where channel_id = $1 and ($2::text is null or conversation = $2)
        and (status = 'pending' or (status = 'failed' and created_at > now() - interval '1 day'))`,
    [channelId, conversation ?? null],
  )
}

/** Deletes the messages to a person. The service keeps those that were sent. */
export async function deleteMessagesTo(tx: Tx, recipient: string, channelId?: string): Promise<void> {
  await execute(tx, 'delete from channel_messages where recipient = $1 and ($2::uuid is null or channel_id = $2)', [
    recipient,
    channelId ?? null,
  ])
}

/** Returns a page of a channel's messages, latest first. */
export async function listMessages(
  tx: Tx,
  filter: { channel_id: string; limit: number; offset: number },
): Promise<Page<ChannelMessage>> {
  const conditions = createFilter()
  conditions.where('channel_id = ?', filter.channel_id)
  const { limit, offset } = filter
  const query = { columns: MESSAGE, from: 'channel_messages', order: 'created_at desc, id desc', limit, offset }
  return readPage(tx, query, conditions)
}
