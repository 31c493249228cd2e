import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { bigint, list, omit, type Row } from '../shared/table.ts'
import { channelsTable } from './tables.ts'

const CHANNEL = omit(channelsTable, 'workspace_id', 'credentials')
/** A channel without its credentials. */
export type Channel = Row<typeof CHANNEL>

const CONNECTED = omit(channelsTable, 'workspace_id')
/** A channel with its encrypted credentials. */
export type ConnectedChannel = Row<typeof CONNECTED>

export async function countChannels(tx: Tx): Promise<number> {
  return requireRow(await selectOne(tx, { count: bigint() }, 'select count(*) from channels')).count
}

export async function findChannel(tx: Tx, name: string): Promise<ConnectedChannel | undefined> {
  return selectOne(tx, CONNECTED, `select ${list(CONNECTED)} from channels where name = $1`, [name])
}

export async function findChannelById(tx: Tx, id: string): Promise<ConnectedChannel | undefined> {
  return selectOne(tx, CONNECTED, `select ${list(CONNECTED)} from channels where id = $1`, [id])
}

/** Returns the channels with these names, and locks their rows, so that bindings to them are checked one by one. */
export async function lockChannels(tx: Tx, names: string[]): Promise<Channel[]> {
  return select(
    tx,
    CHANNEL,
    `select ${list(CHANNEL)} from channels where name = any($1) order by name for no key update`,
    [names],
  )
}

/** Returns a page of channels, ordered by name. */
export async function listChannels(tx: Tx, page: { limit: number; offset: number }): Promise<Page<Channel>> {
  return readPage(tx, { columns: CHANNEL, from: 'channels', order: 'name', ...page }, createFilter())
}

export type NewChannel = Pick<ConnectedChannel, 'id' | 'name' | 'type' | 'settings' | 'credentials'> & {
  actor: string
}

/** Inserts a channel, or replaces the settings and credentials of the channel with this name. */
export async function saveChannel(tx: Tx, { actor, ...channel }: NewChannel): Promise<Channel> {
  const row = { ...channel, set_by: [actor], created_by: actor, updated_by: actor }
  const onConflict = `on conflict (workspace_id, name) do update
    set settings = excluded.settings, credentials = excluded.credentials,
        set_by = array(select unnest(channels.set_by || channels.updated_by) union select excluded.updated_by),
        failing_since = null, failure = null,
        updated_by = excluded.updated_by, updated_at = now()`
  return requireRow(await insertReturning(tx, channelsTable, row, CHANNEL, onConflict))
}

export async function deleteChannel(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'delete from channels where id = $1', [id])
}

/** Records an event from the service, at most once a minute. */
export async function noteEvent(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    `update channels set last_event_at = now()
      where id = $1 and (last_event_at is null or last_event_at < now() - interval '1 minute')`,
    [id],
  )
}

/**
 * Records the result of a request to the service. `failure` is null after a success.
 * @param source the start of the failures that a success ends; by default, it ends all
 */
export async function noteResult(tx: Tx, id: string, failure: string | null, source = ''): Promise<void> {
  await execute(
    tx,
    `update channels set failure = $2, failing_since = case when $2::text is not null then coalesce(failing_since, now()) end
      where id = $1 and failure is distinct from $2 and ($2 is not null or starts_with(failure, $3))`,
    [id, failure, source],
  )
}
