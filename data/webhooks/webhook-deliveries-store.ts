import type { Tx } from '../shared/database.ts'
import { setPublisherRole } from './event-outbox-store.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed'

/** One attempt at a delivery. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  at: string
  latency_ms: number
  /** The status of the response, if there was one. */
  status?: number
  /** The beginning of the response's body. */
  response?: string
  error?: { code: string; message: string }
}

export interface Delivery {
  id: string
  webhook_id: string
  event_id: string
  event_type: string
  status: DeliveryStatus
  /** Attempts since the delivery or its replay was requested. */
  attempts: number
  /** The latest attempts, oldest first, also those before a replay. */
  attempt_log: DeliveryAttempt[]
  next_attempt_at: string | null
  created_at: string
  finished_at: string | null
}

export interface NewDelivery {
  workspace_id: string
  /** The brain of the event. */
  brain_id: string | null
  event_id: string
  event_type: string
  body: string
}

/** A delivery whose workflow has not begun. */
export interface UnstartedDelivery {
  id: string
  workspace_id: string
  event_type: string
}

const COLUMNS = `id, webhook_id, event_id, event_type, status, attempts, attempt_log, next_attempt_at, created_at,
  finished_at`

/** When a delivery whose workflow the caller starts is due to be started by the worker, in case the caller could not. */
const AFTER_START = `now() + interval '10 seconds'`

/** Attempts that the log keeps. */
const MAX_LOGGED_ATTEMPTS = 20

/**
 * Inserts a delivery for each event and each webhook that takes it, in a transaction of the publisher. Returns the number
 * of new deliveries.
 */
export async function insertDeliveries(tx: Tx, events: NewDelivery[]): Promise<number> {
  const inserted = await tx.query<object[]>(
    `insert into webhook_deliveries (workspace_id, webhook_id, event_id, event_type, body)
     select event.workspace_id, webhook.id, event.event_id, event.event_type, event.body
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[])
              as event (workspace_id, brain_id, event_id, event_type, body)
       join webhooks webhook on webhook.workspace_id = event.workspace_id and webhook.disabled_at is null
        and (webhook.brain_id is null or event.brain_id is null or webhook.brain_id = event.brain_id)
        and webhook.event_types && array[event.event_type, split_part(event.event_type, '.', 1) || '.*']
     on conflict do nothing returning id`,
    [
      events.map(({ workspace_id }) => workspace_id),
      events.map(({ brain_id }) => brain_id),
      events.map(({ event_id }) => event_id),
      events.map(({ event_type }) => event_type),
      events.map(({ body }) => body),
    ],
  )
  return inserted.length
}

/** Inserts one delivery in a transaction of its workspace. The caller starts the workflow. */
export async function insertDelivery(
  tx: Tx,
  delivery: { webhook_id: string; event_id: string; event_type: string; body: string },
): Promise<Delivery> {
  const { webhook_id, event_id, event_type, body } = delivery
  const [inserted] = await tx.query<Delivery[]>(
    `insert into webhook_deliveries (webhook_id, event_id, event_type, body, start_due_at)
     values ($1, $2, $3, $4, ${AFTER_START}) returning ${COLUMNS}`,
    [webhook_id, event_id, event_type, body],
  )
  return inserted as Delivery
}

/**
 * Leases deliveries of all workspaces whose workflow has not begun, some of each workspace. One is due again when its
 * lease ends.
 */
export async function leaseUnstarted(
  tx: Tx,
  { perWorkspace, leaseSeconds }: { perWorkspace: number; leaseSeconds: number },
): Promise<UnstartedDelivery[]> {
  const [, [rows]] = await Promise.all([
    setPublisherRole(tx),
    tx.query<[UnstartedDelivery[], number]>(
      `update webhook_deliveries set start_due_at = now() + make_interval(secs => $2)
        where id = any (array(
          select due.id
            from (select distinct workspace_id from webhook_deliveries where start_due_at <= now()) waiting,
                 lateral (select id from webhook_deliveries own
                           where own.workspace_id = waiting.workspace_id and start_due_at <= now()
                           order by start_due_at limit $1 for update skip locked) due))
       returning id, workspace_id, event_type`,
      [perWorkspace, leaseSeconds],
    ),
  ])
  return rows
}

/** Deletes some of the deliveries of all workspaces that ended before the time. Returns their number. */
export async function deleteFinishedDeliveries(tx: Tx, before: string, limit: number): Promise<number> {
  const [, [, count]] = await Promise.all([
    setPublisherRole(tx),
    tx.query<[unknown, number]>(
      `delete from webhook_deliveries
        where id = any (array(select id from webhook_deliveries where finished_at < $1 order by finished_at limit $2))`,
      [before, limit],
    ),
  ])
  return count
}

/** What an attempt needs. */
export interface DeliveryToSend extends Delivery {
  body: string
  url: string
  secret: Buffer
  /** The secret before the rotation, while it is valid. */
  previous_secret: Buffer | null
  disabled_at: string | null
}

/** Returns a delivery for its workflow, which is known to run from now on. */
export async function takeDelivery(tx: Tx, id: string): Promise<DeliveryToSend | undefined> {
  const [[found]] = await tx.query<[DeliveryToSend[], number]>(
    `update webhook_deliveries delivery set start_due_at = null
       from webhooks webhook
      where delivery.id = $1 and webhook.id = delivery.webhook_id
     returning delivery.id, webhook_id, event_id, event_type, status, attempts, attempt_log, next_attempt_at,
            delivery.created_at, finished_at, body, url, secret, disabled_at,
            case when previous_secret_until > now() then previous_secret end as previous_secret`,
    [id],
  )
  return found
}

/** Writes an attempt, and the end of the delivery or the time of the next attempt. */
export async function saveAttempt(
  tx: Tx,
  id: string,
  saved: { attempt: DeliveryAttempt; status: DeliveryStatus; next_attempt_at: string | null },
): Promise<void> {
  const { attempt, status, next_attempt_at } = saved
  await tx.query(
    `update webhook_deliveries
        set attempts = attempts + 1, status = $3, next_attempt_at = $4,
            finished_at = case when $3 = 'pending' then null else now() end,
            attempt_log = jsonb_path_query_array(attempt_log, '$[last - ${MAX_LOGGED_ATTEMPTS - 2} to last]') || $2::jsonb
      where id = $1`,
    [id, toStorableJson({ ...attempt }), status, next_attempt_at],
  )
}

/** Ends a delivery without a further attempt. */
export async function failDelivery(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, finished_at = now() where id = $1`,
    [id],
  )
}

/** Makes an ended delivery pending again. Returns undefined when it is pending or does not exist. */
export async function reopenDelivery(tx: Tx, webhookId: string, id: string): Promise<Delivery | undefined> {
  const [[reopened]] = await tx.query<[Delivery[], number]>(
    `update webhook_deliveries
        set status = 'pending', attempts = 0, finished_at = null, next_attempt_at = null, start_due_at = ${AFTER_START}
      where webhook_id = $1 and id = $2 and status <> 'pending' returning ${COLUMNS}`,
    [webhookId, id],
  )
  return reopened
}

/** Returns a page of the deliveries of a webhook, latest first. */
export async function listDeliveries(
  tx: Tx,
  filter: { webhook_id: string; status?: DeliveryStatus; limit: number; offset: number },
): Promise<Page<Delivery>> {
  const conditions = createFilter()
  conditions.where('webhook_id = ?', filter.webhook_id)
  conditions.where('status = ?', filter.status)
  const { limit, offset } = filter
  const query = { columns: COLUMNS, from: 'webhook_deliveries', order: 'created_at desc, id desc', limit, offset }
  return readPage<Delivery>(tx, query, conditions)
}

/** Whether the webhook has the delivery. */
export async function hasDelivery(tx: Tx, webhookId: string, id: string): Promise<boolean> {
  const found = await tx.query<object[]>('select from webhook_deliveries where webhook_id = $1 and id = $2', [
    webhookId,
    id,
  ])
  return found.length > 0
}
