import type { EventFilter, EventType, WorkspaceEvent } from '../../domain/webhooks/events.ts'
import type { DeliveryAttempt, DeliveryStatus } from './webhook-deliveries-store.ts'
import type { DisabledReason } from './webhooks-store.ts'
import {
  defineTable,
  bigint,
  bytes,
  generated,
  integer,
  json,
  jsonb,
  nullable,
  primary,
  text,
  texts,
  time,
  uuid,
} from '../shared/table.ts'

/**
 * The event outbox, webhooks and deliveries. Database triggers write to the outbox in the transaction that makes a
 * change.
 */
export const eventOutboxTable = defineTable('event_outbox', {
  /** Ids of events about the same resource, job or intervention increase over time. */
  id: primary(generated(bigint())),
  /**
   * Not a foreign key: only database triggers write this column, and a foreign key would check again a value that
   * they have just read.
   */
  workspace_id: uuid(),
  /** The brain of the event's subject. Null for subjects that belong to the whole workspace. */
  brain_id: nullable(uuid()),
  event_id: uuid(),
  type: text<EventType>(),
  /** The fields of the event other than id, type and time. */
  subject: json<Omit<WorkspaceEvent, 'id' | 'type' | 'at'>>(),
  at: text(),
  created_at: time(),
  /** The run or request that caused the event. */
  cause: nullable(text()),
})

export const webhooksTable = defineTable('webhooks', {
  id: primary(uuid()),
  workspace_id: uuid(),
  /** The webhook receives events from this brain and from the workspace itself. Null means events from all brains. */
  brain_id: nullable(uuid()),
  url: text(),
  description: nullable(text()),
  event_types: texts<EventFilter>(),
  /** Encrypted. Until the previous secret expires, deliveries are also signed with it. */
  secret: bytes(),
  previous_secret: nullable(bytes()),
  previous_secret_until: nullable(time()),
  /** The time of the first failure since the last success. */
  failing_since: nullable(time()),
  disabled_at: nullable(time()),
  disabled_reason: nullable(text<DisabledReason>()),
  created_by: text(),
  created_at: time(),
  updated_at: time(),
})

export const webhookDeliveriesTable = defineTable('webhook_deliveries', {
  id: primary(uuid()),
  workspace_id: uuid(),
  webhook_id: uuid(),
  event_id: uuid(),
  event_type: text(),
  /** The bytes to sign and send. They are the same for every attempt. */
  body: text(),
  status: text<DeliveryStatus>(),
  /** Number of attempts since the delivery or its latest replay was requested. */
  attempts: integer(),
  /** The latest attempts, oldest first, including attempts before a replay. */
  attempt_log: jsonb<DeliveryAttempt[]>(),
  next_attempt_at: nullable(time()),
  created_at: time(),
  finished_at: nullable(time()),
  /** When to try again to start the workflow. Null once the workflow has started. */
  start_due_at: nullable(time()),
})
