import type { Tx } from '../shared/database.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { computed, list, nullable, omit, pick, text, texts, type Row } from '../shared/table.ts'
import { channelAccountsTable, channelLinkCodesTable, channelsTable } from './tables.ts'

const ACCOUNT = omit(channelAccountsTable, 'workspace_id')
export type ChannelAccount = Row<typeof ACCOUNT>

const LINKED = {
  /** The name of the channel. */
  channel: computed(channelsTable.columns.name, 'channels.name'),
  ...pick(channelsTable, 'type', 'settings'),
  external_id: nullable(channelAccountsTable.columns.external_id),
  linked_at: nullable(channelAccountsTable.columns.linked_at),
  /** The key of a web push channel. */
  public_key: computed(nullable(text()), `channels.settings ->> 'public_key'`),
  /** The ids of the member's subscriptions, latest first. */
  push_subscriptions: computed(
    texts(),
    `array(select push.id from push_subscriptions push where push.channel_id = channels.id and push.actor = $1
            order by push.created_at desc)`,
  ),
}
/** A channel with the account that a member has linked. */
export type LinkedAccount = Row<typeof LINKED>

const ACTOR = pick(channelLinkCodesTable, 'actor')

export async function findAccount(tx: Tx, channelId: string, externalId: string): Promise<ChannelAccount | undefined> {
  return selectOne(
    tx,
    ACCOUNT,
    `select ${list(ACCOUNT)} from channel_accounts where channel_id = $1 and external_id = $2`,
    [channelId, externalId],
  )
}

/** Finds a member's account in a channel. */
export async function findAccountOf(tx: Tx, channelId: string, actor: string): Promise<ChannelAccount | undefined> {
  return selectOne(tx, ACCOUNT, `select ${list(ACCOUNT)} from channel_accounts where channel_id = $1 and actor = $2`, [
    channelId,
    actor,
  ])
}

/** Lists the channels by name, each with the member's account. */
export async function listAccounts(tx: Tx, actor: string): Promise<LinkedAccount[]> {
  return select(
    tx,
    LINKED,
    `select ${list(LINKED)}
       from channels left join channel_accounts account on account.channel_id = channels.id and account.actor = $1
      order by name`,
    [actor],
  )
}

/** Links an account. Returns false if the account or the member is already linked in this channel. */
export async function insertAccount(
  tx: Tx,
  account: Pick<ChannelAccount, 'channel_id' | 'external_id' | 'actor'>,
): Promise<boolean> {
  return (await insert(tx, channelAccountsTable, account, 'on conflict do nothing')) > 0
}

export async function deleteAccount(tx: Tx, channelId: string, actor: string): Promise<void> {
  await execute(tx, 'delete from channel_accounts where channel_id = $1 and actor = $2', [channelId, actor])
}

/**
 * Removes all accounts, codes, subscriptions, notification rules and notifications of a person. Returns the removed
 * accounts.
 */
export async function deleteAccountsOf(tx: Tx, actor: string): Promise<ChannelAccount[]> {
  const [accounts] = await Promise.all([
    select(tx, ACCOUNT, `delete from channel_accounts where actor = $1 returning ${list(ACCOUNT)}`, [actor]),
    execute(tx, 'delete from channel_link_codes where actor = $1', [actor]),
    execute(tx, 'delete from push_subscriptions where actor = $1', [actor]),
    execute(tx, 'delete from notification_rules where subject = $1', [actor]),
    execute(tx, 'delete from notifications where recipient = $1', [actor]),
  ])
  return accounts
}

/** Saves a member's code for a channel, and replaces an earlier code. */
export async function saveLinkCode(
  tx: Tx,
  code: { channel_id: string; actor: string; code_hash: Buffer; expires_at: string },
): Promise<void> {
  await insert(
    tx,
    channelLinkCodesTable,
    code,
    'on conflict (channel_id, actor) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at',
  )
}

/** Deletes a valid code, and returns its member. Returns undefined for an unknown or expired code. */
export async function takeLinkCode(tx: Tx, channelId: string, codeHash: Buffer): Promise<string | undefined> {
  const code = await selectOne(
    tx,
    ACTOR,
    'delete from channel_link_codes where channel_id = $1 and code_hash = $2 and expires_at > now() returning actor',
    [channelId, codeHash],
  )
  return code?.actor
}
