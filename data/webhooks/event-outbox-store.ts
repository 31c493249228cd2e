import type { EventType, WorkspaceEvent } from '../../domain/webhooks/events.ts'
import type { Tx } from '../shared/database.ts'

/** An event that is not published yet. */
export interface OutboxEvent {
  /** The id of the outbox row. Ids of the events of one resource, job or intervention increase with time. */
  id: number
  workspace_id: string
  brain_id: string | null
  event_id: string
  type: EventType
  subject: Pick<WorkspaceEvent, 'resource' | 'job' | 'intervention' | 'webhook' | 'trigger'>
  at: string
  /** The run whose activity has caused it, or the request. */
  cause: string | null
}

/** Seed of the lock of the publisher. */
const PUBLISHER_LOCK = 5_702_111_401

/** Makes the outbox of all workspaces visible to a transaction without a workspace. */
export const setPublisherRole = (tx: Tx): Promise<unknown> =>
  tx.query(`select set_config('app.publishing', 'on', true)`)

/**
 * Becomes the only publisher until the transaction ends, and returns the oldest events. Undefined while another
 * transaction publishes: two would reorder the events of a resource.
 */
export async function takeEvents(tx: Tx, limit: number): Promise<OutboxEvent[] | undefined> {
  const [, [lock]] = await Promise.all([
    setPublisherRole(tx),
    tx.query<{ taken: boolean }[]>('select pg_try_advisory_xact_lock($1) as taken', [PUBLISHER_LOCK]),
  ])
  if (!lock?.taken) return undefined
  return tx.query<OutboxEvent[]>(
    'select id, workspace_id, brain_id, event_id, type, subject, at, cause from event_outbox order by id limit $1',
    [limit],
  )
}

/** Deletes published events. */
export async function deleteEvents(tx: Tx, ids: number[]): Promise<void> {
  await tx.query('delete from event_outbox where id = any($1::bigint[])', [ids])
}
