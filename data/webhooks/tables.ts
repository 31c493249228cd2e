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

/** The outbox of events, which triggers fill in the transaction of a change, and webhooks with their deliveries. */
export const eventOutboxTable = defineTable('event_outbox', {
  /** Ids of the events of one resource, job or intervention increase with time. */
  id: primary(generated(bigint())),
  /** Written by triggers only, so that a foreign key would check what they have just read. */
  workspace_id: uuid(),
  /** The brain that the event belongs to; null for the workspace. */
  brain_id: nullable(uuid()),
  event_id: uuid(),
  type: text<EventType>(),
  /** The fields of the event beside id, type and time. */
  subject: json<Omit<WorkspaceEvent, 'id' | 'type' | 'at'>>(),
  at: text(),
  created_at: time(),
  /** The run whose activity has caused the event, or the request. */
  cause: nullable(text()),
})

export const webhooksTable = defineTable('webhooks', {
  id: primary(uuid()),
  workspace_id: uuid(),
  /** The brain whose events are delivered, with those of the workspace; null for the events of all brains. */
  brain_id: nullable(uuid()),
  url: text(),
  description: nullable(text()),
  event_types: texts<EventFilter>(),
  /** Encrypted. The previous secret signs, too, until its end. */
  secret: bytes(),
  previous_secret: nullable(bytes()),
  previous_secret_until: nullable(time()),
  /** The first failure since the last success. */
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
  /** The bytes that are signed and sent, the same at every attempt. */
  body: text(),
  status: text<DeliveryStatus>(),
  /** Attempts since the delivery or its replay was requested. */
  attempts: integer(),
  /** The latest attempts, oldest first, also those before a replay. */
  attempt_log: jsonb<DeliveryAttempt[]>(),
  next_attempt_at: nullable(time()),
  created_at: time(),
  finished_at: nullable(time()),
  /** When to start the workflow, again if it has not begun by then; null once it has. */
  start_due_at: nullable(time()),
})
