import type { Tx } from '../shared/database.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { list, omit, pick, type Row } from '../shared/table.ts'
import { pushSubscriptionsTable } from './tables.ts'

const SUBSCRIPTION = omit(pushSubscriptionsTable, 'workspace_id', 'subscription', 'last_message_id', 'failing_since')
/** A browser that shows notifications of a member. */
export type PushSubscriptionRow = Row<typeof SUBSCRIPTION>

const STORED = pick(pushSubscriptionsTable, 'id', 'subscription')
/** A subscription with its encrypted endpoint and keys. */
export type StoredSubscription = Row<typeof STORED>

type Key = Pick<PushSubscriptionRow, 'channel_id' | 'id'>
type Owner = Pick<PushSubscriptionRow, 'channel_id' | 'actor'>

const MAX_SUBSCRIPTIONS = 20

export async function findPushSubscription(tx: Tx, { channel_id, id }: Key): Promise<PushSubscriptionRow | undefined> {
  return selectOne(
    tx,
    SUBSCRIPTION,
    `select ${list(SUBSCRIPTION)} from push_subscriptions where channel_id = $1 and id = $2`,
    [channel_id, id],
  )
}

/** Lists a member's subscriptions, oldest first. */
export async function listPushSubscriptions(tx: Tx, { channel_id, actor }: Owner): Promise<StoredSubscription[]> {
  return select(
    tx,
    STORED,
    `select ${list(STORED)} from push_subscriptions where channel_id = $1 and actor = $2 order by created_at`,
    [channel_id, actor],
  )
}

/**
 * Inserts a subscription, or moves it to the member who uses the browser now. Deletes the member's oldest
 * subscriptions above the limit.
 */
export async function savePushSubscription(
  tx: Tx,
  subscription: Key & Owner & { subscription: Buffer },
): Promise<PushSubscriptionRow> {
  const { channel_id, actor } = subscription
  const onConflict = `on conflict (channel_id, id) do update
    set actor = excluded.actor, subscription = excluded.subscription, failing_since = null, created_at = now()`
  const row = requireRow(await insertReturning(tx, pushSubscriptionsTable, subscription, SUBSCRIPTION, onConflict))
  await execute(
    tx,
    `delete from push_subscriptions where channel_id = $1 and id in (
       select id from push_subscriptions where channel_id = $1 and actor = $2
        order by created_at desc, id offset ${MAX_SUBSCRIPTIONS})`,
    [channel_id, actor],
  )
  return row
}

export async function deletePushSubscriptions(tx: Tx, channelId: string, ids: string[]): Promise<void> {
  await execute(tx, 'delete from push_subscriptions where channel_id = $1 and id = any($2)', [channelId, ids])
}

/** Records to which browsers a message was sent, so that another attempt leaves them out. */
export async function notePushed(tx: Tx, channelId: string, ids: string[], messageId: string): Promise<void> {
  await execute(
    tx,
    'update push_subscriptions set last_message_id = $3, failing_since = null where channel_id = $1 and id = any($2)',
    [channelId, ids, messageId],
  )
  await execute(tx, 'update channel_messages set browser_ids = browser_ids || $2::text[] where id = $1', [
    messageId,
    ids,
  ])
}

/** Records which browsers could not be reached. */
export async function noteUnreached(tx: Tx, channelId: string, ids: string[]): Promise<void> {
  await execute(
    tx,
    'update push_subscriptions set failing_since = coalesce(failing_since, now()) where channel_id = $1 and id = any($2)',
    [channelId, ids],
  )
}

/** Returns whether the latest message to any browser was sent. */
export async function isAnyReached(tx: Tx, channelId: string): Promise<boolean> {
  const count = await execute(
    tx,
    `select from push_subscriptions
      where channel_id = $1 and last_message_id is not null and failing_since is null limit 1`,
    [channelId],
  )
  return count > 0
}
