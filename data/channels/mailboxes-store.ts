import type { Tx } from '../shared/database.ts'
import { execute, insert, selectOne } from '../shared/statements.ts'
import { list, omit, pick, type Row } from '../shared/table.ts'
import { type LeaseLimits, leaseUnstartedRows } from '../webhooks/event-outbox-store.ts'
import { channelMailboxesTable } from './tables.ts'

const POSITION = omit(channelMailboxesTable, 'workspace_id', 'start_due_at')
/** How far a mailbox has been read. */
export type MailboxPosition = Row<typeof POSITION>

const UNSTARTED = pick(channelMailboxesTable, 'id', 'workspace_id')
/** A mailbox whose workflow has not started. */
export type UnstartedMailbox = Row<typeof UNSTARTED>

/** Reads a mailbox from now on. If it is already read, reading continues. */
export async function openMailbox(tx: Tx, id: string): Promise<void> {
  await insert(tx, channelMailboxesTable, { id }, 'on conflict (id) do update set start_due_at = now()')
}

export async function closeMailbox(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'delete from channel_mailboxes where id = $1', [id])
}

/** Leases mailboxes whose workflow has not started, or does not run. */
export const leaseUnstartedMailboxes = (tx: Tx, limits: LeaseLimits): Promise<UnstartedMailbox[]> =>
  leaseUnstartedRows(tx, channelMailboxesTable, UNSTARTED, limits)

/** Returns a mailbox for its workflow. The workflow is started again if it does not continue within this time. */
export async function takeMailbox(tx: Tx, id: string, leaseSeconds: number): Promise<MailboxPosition | undefined> {
  return selectOne(
    tx,
    POSITION,
    `update channel_mailboxes set start_due_at = now() + make_interval(secs => $2) where id = $1
     returning ${list(POSITION)}`,
    [id, leaseSeconds],
  )
}

/** Records which messages are read. If the numbering changes, the messages of the last week are read again. */
export async function saveRead(
  tx: Tx,
  id: string,
  { uid_validity, last_uid, waiting_uids }: Omit<MailboxPosition, 'id' | 'read_from'>,
): Promise<void> {
  await execute(
    tx,
    `update channel_mailboxes
        set uid_validity = $2, last_uid = $3, waiting_uids = $4,
            read_from = greatest(read_from, now() - interval '7 days')
      where id = $1`,
    [id, uid_validity, last_uid, JSON.stringify(waiting_uids)],
  )
}
