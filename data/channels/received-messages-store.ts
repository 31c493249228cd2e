import { randomUUIDv7 } from 'node:crypto'
import type { ReceivedMail } from '../../domain/channels/channel.ts'
import { jobsTable } from '../runs/tables.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { bigint, computed, list, pick, type Row } from '../shared/table.ts'
import { UNSTARTED, type UnstartedMessage } from './channel-messages-store.ts'
import { channelMessagesTable } from './tables.ts'

/** A received message, with the decision about its answer: a text, the answer of a run, or none. */
export interface NewReceivedMessage {
  channel_id: string
  source_key: string
  received: ReceivedMail
  recipient: string
  conversation: string
  thread: string | null
  job_id: string | null
  reply: string | null
  /** Why there is no answer. */
  failure: string | null
}

/** Records a received message. Returns undefined if it was recorded before, or if it is not answered. */
export async function insertReceivedMessage(
  tx: Tx,
  message: NewReceivedMessage,
): Promise<UnstartedMessage | undefined> {
  const isAnswered = message.job_id !== null || message.reply !== null
  const row = {
    id: randomUUIDv7(),
    ...message,
    status: isAnswered ? ('pending' as const) : ('skipped' as const),
    ...(!isAnswered && { start_due_at: null }),
  }
  const inserted = await insertReturning(tx, channelMessagesTable, row, UNSTARTED, 'on conflict do nothing')
  return isAnswered ? inserted : undefined
}

const ACCEPTED = pick(channelMessagesTable, 'conversation', 'thread', 'received')
/** A received message that answers a task. */
export type AcceptedMessage = Row<typeof ACCEPTED>

const MAX_ACCEPTED = 100

/** Lists a person's latest messages that were accepted as answers, latest first. */
export async function listAccepted(tx: Tx, channelId: string, recipient: string): Promise<AcceptedMessage[]> {
  return select(
    tx,
    ACCEPTED,
    `select ${list(ACCEPTED)} from channel_messages
      where channel_id = $1 and recipient = $2 and source_key is not null and num_nonnulls(job_id, reply, failure) = 0
      order by created_at desc limit ${MAX_ACCEPTED}`,
    [channelId, recipient],
  )
}

export async function isReceived(tx: Tx, channelId: string, sourceKey: string): Promise<boolean> {
  const count = await execute(tx, 'select from channel_messages where channel_id = $1 and source_key = $2', [
    channelId,
    sourceKey,
  ])
  return count > 0
}

const COUNTS = { all: bigint(), from_sender: bigint() }

/** Counts the messages that a channel received in the last hour. Forged messages don't count for their sender. */
export async function countReceived(tx: Tx, channelId: string, from: string): Promise<Row<typeof COUNTS>> {
  return requireRow(
    await selectOne(
      tx,
      COUNTS,
      `select count(*) as all, count(*) filter (
                where received ->> 'from' = $2 and received -> 'authentication' ->> 'is_authentic' = 'true') as from_sender
         from channel_messages
        where channel_id = $1 and created_at > now() - interval '1 hour' and source_key is not null`,
      [channelId, from],
    ),
  )
}

const THREAD = {
  ...pick(channelMessagesTable, 'intervention_id', 'recipient'),
  trace_id: computed(jobsTable.columns.trace_id, '(select trace_id from jobs where jobs.job_id = message.job_id)'),
}
/** A message of a thread, with the thread of its run. */
export type ThreadMessage = Row<typeof THREAD>

/** Finds the latest message about a task or run that has one of the ids, or was received with one of the keys. */
export async function findThreadMessage(
  tx: Tx,
  channelId: string,
  { ids, source_keys }: { ids: string[]; source_keys: string[] },
): Promise<ThreadMessage | undefined> {
  return selectOne(
    tx,
    THREAD,
    `select ${list(THREAD, 'message')} from channel_messages message
      where channel_id = $1 and (id = any($2) or source_key = any($3))
        and num_nonnulls(intervention_id, job_id) > 0 and reply is null
      order by created_at desc limit 1`,
    [channelId, ids, source_keys],
  )
}
