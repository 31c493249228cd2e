import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../shared/database.ts'
import type { MessageStatus } from '../../domain/channels/channel.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insert, insertReturning, select, selectOne } from '../shared/statements.ts'
import { list, omit, pick, type Row } from '../shared/table.ts'
import { type LeaseLimits, leaseUnstartedRows } from '../webhooks/event-outbox-store.ts'
import { CONVERSATION, IS_RECIPIENT, MAX_RECIPIENTS, RECIPIENTS } from './recipients.ts'
import { channelMessagesTable } from './tables.ts'

const MESSAGE = omit(
  channelMessagesTable,
  'workspace_id',
  'channel_id',
  'content_hash',
  'source_key',
  'start_due_at',
  'browser_ids',
)
/** An entry of a channel's log. */
export type ChannelMessage = Row<typeof MESSAGE>

export const UNSTARTED = pick(channelMessagesTable, 'id', 'workspace_id')
/** A message whose workflow has not started. */
export type UnstartedMessage = Row<typeof UNSTARTED>

/**
 * Makes the messages about tasks and runs due, so that they show the current state. A task can be a question to the
 * person who started its run. Returns the number of messages.
 */
export async function markMessagesDue(tx: Tx, subjects: string[]): Promise<number> {
  if (subjects.length === 0) return 0
  return execute(
    tx,
    `update channel_messages set start_due_at = now()
      where reply is null
        and (intervention_id = any($1)
          or job_id = any($1::text[] || array(select root_job_id from interventions where id = any($1))))`,
    [subjects],
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
     select gen_random_uuid(), place.channel_id, task.id, place.subject, place.conversation
       from interventions task,
            lateral (
              select rule.channel_id, rule.subject, ${CONVERSATION} as conversation
                from notification_rules rule ${RECIPIENTS}
               where (rule.events is null or 'intervention.requested' = any(rule.events)) and ${IS_RECIPIENT}
               order by rule.subject limit ${MAX_RECIPIENTS}) place
      where task.id = any($1) and task.status = 'open' and task.opened_at is not null
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

/** Inserts a reply to an answer, which can be a received message. */
export async function insertReply(
  tx: Tx,
  message: Pick<ChannelMessage, 'intervention_id' | 'recipient' | 'conversation' | 'thread' | 'received'> & {
    channel_id: string
    reply: string
  },
): Promise<void> {
  await insert(tx, channelMessagesTable, { id: randomUUIDv7(), ...message })
}

const FIRST_MAIL = pick(channelMessagesTable, 'external_id')

/** Returns the id of the first message to the same recipient about the task of a notification. */
export async function findTaskMail(
  tx: Tx,
  { notification_id, channel_id, recipient }: Pick<MessageToSend, 'notification_id' | 'channel_id' | 'recipient'>,
): Promise<string | undefined> {
  const first = await selectOne(
    tx,
    FIRST_MAIL,
    `select ${list(FIRST_MAIL, 'message')} from channel_messages message
       join notifications on notifications.id = $1 and notifications.intervention_id = message.intervention_id
      where message.channel_id = $2 and message.recipient = $3 and message.reply is null`,
    [notification_id, channel_id, recipient],
  )
  return first?.external_id ?? undefined
}

/** Leases messages whose workflow has not started. */
export const leaseUnstartedMessages = (tx: Tx, limits: LeaseLimits): Promise<UnstartedMessage[]> =>
  leaseUnstartedRows(tx, channelMessagesTable, UNSTARTED, limits)

const TO_SEND = omit(
  channelMessagesTable,
  'workspace_id',
  'status',
  'failure',
  'updated_at',
  'source_key',
  'start_due_at',
)
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

/**
 * Records the status of a message that is not shown, with the reason. A pending message is due after the delay. Without
 * a failure it only waits, which resets the attempts.
 */
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
            attempts = case when $2 = 'pending' and $3::text is null then 0 else attempts end,
            start_due_at = least(start_due_at, now() + make_interval(secs => $4::double precision))
      where id = $1`,
    [id, status, failure, retryInMs === undefined ? null : retryInMs / 1_000],
  )
}

/**
 * Records that the service could not deliver messages that were sent. Clears the hash of their content, so that a later
 * attempt sends it again.
 */
export async function saveUndelivered(
  tx: Tx,
  channelId: string,
  { message_ids, failure }: { message_ids: string[]; failure: string },
): Promise<void> {
  if (message_ids.length === 0) return
  await execute(
    tx,
    `update channel_messages set status = 'failed', failure = $3, content_hash = null, updated_at = now()
      where channel_id = $1 and id = any($2) and external_id is not null`,
    [channelId, message_ids, failure],
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
