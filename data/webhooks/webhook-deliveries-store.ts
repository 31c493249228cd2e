import type { Tx } from '../shared/database.ts'
import { type LeaseLimits, leaseUnstartedRows, setPublisherRole } from './event-outbox-store.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, requireRow, selectOne } from '../shared/statements.ts'
import { computed, list, listTypes, omit, pick, type Row } from '../shared/table.ts'
import { webhookDeliveriesTable, webhooksTable } from './tables.ts'

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed'

/** An attempt to deliver an event. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  at: string
  latency_ms: number
  /** The response status, if there was a response. */
  status?: number
  /** The beginning of the response body, if there was a response. */
  response?: string
  error?: { code: string; message: string }
}

const DELIVERY = omit(webhookDeliveriesTable, 'workspace_id', 'body', 'start_due_at')
export type Delivery = Row<typeof DELIVERY>

const NEW = {
  ...pick(webhookDeliveriesTable, 'workspace_id', 'event_id', 'event_type', 'body'),
  /** The brain of the event. */
  brain_id: webhooksTable.columns.brain_id,
}
export type NewDelivery = Row<typeof NEW>

const UNSTARTED = pick(webhookDeliveriesTable, 'id', 'workspace_id', 'event_type')
/** A delivery whose workflow has not started. */
export type UnstartedDelivery = Row<typeof UNSTARTED>

/** The time at which a worker starts the workflow if the caller has not. */
const AFTER_START = `now() + interval '10 seconds'`

/** Maximum number of attempts in the log. */
const MAX_LOGGED_ATTEMPTS = 20

/**
 * Inserts a delivery for each event and each matching webhook. Requires a publisher transaction. Returns the number
 * of new deliveries.
 */
export async function insertDeliveries(tx: Tx, events: NewDelivery[]): Promise<number> {
  return execute(
    tx,
    `insert into webhook_deliveries (workspace_id, webhook_id, event_id, event_type, body)
     select event.workspace_id, webhook.id, event.event_id, event.event_type, event.body
       from json_to_recordset($1::json) as event (${listTypes(NEW)})
       join webhooks webhook on webhook.workspace_id = event.workspace_id and webhook.disabled_at is null
        and (webhook.brain_id is null or event.brain_id is null or webhook.brain_id = event.brain_id)
        and webhook.event_types && array[event.event_type, split_part(event.event_type, '.', 1) || '.*']
     on conflict do nothing`,
    [toStorableJson(events)],
  )
}

/** Inserts one delivery in a workspace transaction. The caller then starts the workflow. */
export async function insertDelivery(
  tx: Tx,
  delivery: { webhook_id: string; event_id: string; event_type: string; body: string },
): Promise<Delivery> {
  const { webhook_id, event_id, event_type, body } = delivery
  const inserted = await selectOne(
    tx,
    DELIVERY,
    `insert into webhook_deliveries (webhook_id, event_id, event_type, body, start_due_at)
     values ($1, $2, $3, $4, ${AFTER_START}) returning ${list(DELIVERY)}`,
    [webhook_id, event_id, event_type, body],
  )
  return requireRow(inserted)
}

/** Leases deliveries whose workflow has not started. */
export const leaseUnstarted = (tx: Tx, limits: LeaseLimits): Promise<UnstartedDelivery[]> =>
  leaseUnstartedRows(tx, webhookDeliveriesTable, UNSTARTED, limits)

/**
 * Deletes up to `limit` deliveries, in all workspaces, that ended before the given time. Returns the number of
 * deleted deliveries.
 */
export async function deleteFinishedDeliveries(tx: Tx, before: string, limit: number): Promise<number> {
  const [, count] = await Promise.all([
    setPublisherRole(tx),
    execute(
      tx,
      `delete from webhook_deliveries
        where id = any (array(select id from webhook_deliveries where finished_at < $1 order by finished_at limit $2))`,
      [before, limit],
    ),
  ])
  return count
}

const ALL_OF_DELIVERY = { ...DELIVERY, ...pick(webhookDeliveriesTable, 'body') }
const OF_WEBHOOK = {
  ...pick(webhooksTable, 'url', 'secret', 'disabled_at'),
  /** The secret before the rotation, while it is still valid. */
  previous_secret: computed(
    webhooksTable.columns.previous_secret,
    'case when previous_secret_until > now() then previous_secret end',
  ),
}
const TO_SEND = { ...ALL_OF_DELIVERY, ...OF_WEBHOOK }
/** The data that a delivery attempt needs. */
export type DeliveryToSend = Row<typeof TO_SEND>

/** Returns a delivery for its workflow, and records that the workflow has started. */
export async function takeDelivery(tx: Tx, id: string): Promise<DeliveryToSend | undefined> {
  return selectOne(
    tx,
    TO_SEND,
    `update webhook_deliveries delivery set start_due_at = null
       from webhooks webhook
      where delivery.id = $1 and webhook.id = delivery.webhook_id
     returning ${list(ALL_OF_DELIVERY, 'delivery')}, ${list(OF_WEBHOOK, 'webhook')}`,
    [id],
  )
}

/** Records an attempt and its result: either the delivery has ended, or the next attempt is scheduled. */
export async function saveAttempt(
  tx: Tx,
  id: string,
  result: { attempt: DeliveryAttempt; status: DeliveryStatus; next_attempt_at: string | null },
): Promise<void> {
  const { attempt, status, next_attempt_at } = result
  await execute(
    tx,
    `update webhook_deliveries
        set attempts = attempts + 1, status = $3, next_attempt_at = $4,
            finished_at = case when $3 = 'pending' then null else now() end,
            attempt_log = jsonb_path_query_array(attempt_log, '$[last - ${MAX_LOGGED_ATTEMPTS - 2} to last]') || $2::jsonb
      where id = $1`,
    [id, toStorableJson({ ...attempt }), status, next_attempt_at],
  )
}

/** Ends a delivery as failed, without another attempt. */
export async function failDelivery(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, finished_at = now() where id = $1`,
    [id],
  )
}

/** Makes an ended delivery pending again. Returns undefined when the delivery is pending or does not exist. */
export async function reopenDelivery(tx: Tx, webhookId: string, id: string): Promise<Delivery | undefined> {
  return selectOne(
    tx,
    DELIVERY,
    `update webhook_deliveries
        set status = 'pending', attempts = 0, finished_at = null, next_attempt_at = null, start_due_at = ${AFTER_START}
      where webhook_id = $1 and id = $2 and status <> 'pending' returning ${list(DELIVERY)}`,
    [webhookId, id],
  )
}

/** Returns a page of a webhook's deliveries, latest first. */
export async function listDeliveries(
  tx: Tx,
  filter: { webhook_id: string; status?: DeliveryStatus; limit: number; offset: number },
): Promise<Page<Delivery>> {
  const conditions = createFilter()
  conditions.where('webhook_id = ?', filter.webhook_id)
  conditions.where('status = ?', filter.status)
  const { limit, offset } = filter
  const query = { columns: DELIVERY, from: 'webhook_deliveries', order: 'created_at desc, id desc', limit, offset }
  return readPage(tx, query, conditions)
}

/** Whether the delivery belongs to the webhook. */
export async function hasDelivery(tx: Tx, webhookId: string, id: string): Promise<boolean> {
  return (await execute(tx, 'select from webhook_deliveries where webhook_id = $1 and id = $2', [webhookId, id])) > 0
}
