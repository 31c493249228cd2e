import type { Tx } from '../shared/database.ts'
import { execute, select } from '../shared/statements.ts'
import { type Columns, list, omit, type Row, type Table } from '../shared/table.ts'
import { eventOutboxTable } from './tables.ts'

const EVENT = omit(eventOutboxTable, 'created_at')
/** An event that is not published yet. */
export type OutboxEvent = Row<typeof EVENT>

/** The advisory lock that a publisher transaction holds. */
const PUBLISHER_LOCK = 5_702_111_401

/** Makes the event outboxes of all workspaces visible to a transaction without a workspace. */
export const setPublisherRole = (tx: Tx): Promise<unknown> =>
  execute(tx, `select set_config('app.publishing', 'on', true)`)

/** Selects rows of all workspaces, in a transaction without a workspace. */
export async function selectAsPublisher<C extends Columns>(
  tx: Tx,
  columns: C,
  statement: string,
  parameters?: unknown[],
): Promise<Row<C>[]> {
  const [, rows] = await Promise.all([setPublisherRole(tx), select(tx, columns, statement, parameters)])
  return rows
}

export interface LeaseLimits {
  /** Maximum number of rows from each workspace. */
  perWorkspace: number
  leaseSeconds: number
}

/**
 * Leases rows of a table whose workflow has not started, in all workspaces and a few from each. When its lease expires,
 * a row is due again. The table has the columns `workspace_id` and `start_due_at`.
 */
export async function leaseUnstartedRows<C extends Columns>(
  tx: Tx,
  { name }: Table,
  columns: C,
  { perWorkspace, leaseSeconds }: LeaseLimits,
): Promise<Row<C>[]> {
  return selectAsPublisher(
    tx,
    columns,
    `update ${name} set start_due_at = now() + make_interval(secs => $2)
        where id = any (array(
          select due.id
            from (select distinct workspace_id from ${name} where start_due_at <= now()) waiting,
                 lateral (select id from ${name} own
                           where own.workspace_id = waiting.workspace_id and start_due_at <= now()
                           order by start_due_at limit $1 for update skip locked) due))
       returning ${list(columns)}`,
    [perWorkspace, leaseSeconds],
  )
}

/**
 * Locks the outbox until the transaction ends, and returns the oldest events. Returns undefined while another
 * transaction is publishing, because two publishers could reorder the events about a resource.
 */
export async function takeEvents(tx: Tx, limit: number): Promise<OutboxEvent[] | undefined> {
  const [, lockCount] = await Promise.all([
    setPublisherRole(tx),
    execute(tx, 'select where pg_try_advisory_xact_lock($1)', [PUBLISHER_LOCK]),
  ])
  if (lockCount === 0) return undefined
  return select(tx, EVENT, `select ${list(EVENT)} from event_outbox order by id limit $1`, [limit])
}

/** Deletes events that have been published. */
export async function deleteEvents(tx: Tx, ids: number[]): Promise<void> {
  await execute(tx, 'delete from event_outbox where id = any($1::bigint[])', [ids])
}
