import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { FiringDecision } from '../../domain/triggers/firing.ts'
import type { TriggerHealth } from '../../domain/triggers/health.ts'
import type { TriggerSettings, TriggerTypeName } from '../../domain/triggers/types/index.ts'
import {
  defineTable,
  boolean,
  bytes,
  generated,
  integer,
  json,
  nullable,
  primary,
  text,
  texts,
  time,
  uuid,
} from '../shared/table.ts'

/** The state of triggers that is not part of their documents. */
export const triggerStatesTable = defineTable('trigger_states', {
  trigger_id: primary(uuid()),
  workspace_id: uuid(),
  last_fired_at: nullable(time()),
  /** The latest decision about an event. Excludes duplicates and filtered events. */
  last_decision: nullable(text<FiringDecision>()),
  last_reason: nullable(text()),
  last_decided_at: nullable(time()),
  /** Number of failed runs since the last completed run. */
  failed_runs: integer(),
  /** When to sync the trigger to Temporal. Null when it is in sync. */
  sync_due_at: nullable(time()),
  /** Why the last sync failed. */
  sync_error: nullable(text()),
  /** The health that the latest event announced. */
  health: text<TriggerHealth>(),
  health_reason: nullable(text()),
  health_at: time(),
  /** Whether Temporal may have a schedule for the trigger. */
  has_schedule: boolean(),
  /** The hash of the schedule that was last written to Temporal. */
  schedule_hash: nullable(text()),
})

/**
 * The live triggers that wait for events or messages. This is a separate table, because a publisher policy on
 * `resources` would prevent all other queries from using the indexes of that table.
 */
export const triggerListenersTable = defineTable('trigger_listeners', {
  trigger_id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  trigger_type: text<TriggerTypeName>(),
  settings: json<TriggerSettings['chat' | 'event']>(),
})

/** Events queued for triggers. */
export const triggerEventsTable = defineTable('trigger_events', {
  id: primary(uuid()),
  workspace_id: uuid(),
  trigger_id: uuid(),
  /** Each key causes at most one firing. */
  dedupe_key: text(),
  /** The fields of the event. For debounced events, the fields of the latest event. */
  event: json<JsonObject>(),
  /** When the event occurred. */
  at: time(),
  /** The runs that caused the events. Null for events that no run caused. */
  causes: texts<string | null>(),
  /** Events with the same key are merged into one row until the row is leased. */
  debounce_key: nullable(text()),
  merged: integer(),
  /** The neuron run that decides whether a message fires the trigger. */
  router_job_id: nullable(text()),
  attempts: integer(),
  created_at: time(),
  due_at: time(),
  /** The ids of the resources and interventions that the events report on. */
  subjects: texts(),
  trace_id: generated(nullable(text())),
})

/** Events that triggers received, and what they caused. */
export const triggerFiringsTable = defineTable('trigger_firings', {
  id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  trigger_id: uuid(),
  /** The version of the trigger when it decided about the event. */
  trigger_version: integer(),
  /** The source of the firing: the trigger type, or `manual`. */
  source: text<TriggerTypeName>(),
  decision: text<FiringDecision>(),
  reason: nullable(text()),
  job_id: nullable(text()),
  dedupe_key: text(),
  /** The first firing with the same key. */
  duplicate_of: nullable(uuid()),
  /** The number of triggers that led to this firing, not counting this trigger. */
  depth: integer(),
  /** The person who fired the trigger manually. Null for automatic firings. */
  fired_by: nullable(text()),
  event: nullable(json<JsonObject>()),
  /** The input of the run. */
  input: nullable(json()),
  created_at: time(),
  /** When to try again to start the run. Null once the run has started. */
  start_due_at: nullable(time()),
  /** The workflow that waits until the run ends. */
  workflow_id: nullable(text()),
  /** For a replay, the firing whose event is repeated. Derived from the key of the replay. */
  replay_of: generated(nullable(uuid())),
  /** Everyone behind the run. If there is no run, the people who caused the event. */
  people: texts(),
  trace_id: generated(nullable(text())),
})

/** Secrets for verifying the signatures of webhook requests. */
export const hookSecretsTable = defineTable('hook_secrets', {
  trigger_id: primary(uuid()),
  workspace_id: uuid(),
  /** Encrypted. The previous secret is also accepted until it expires. */
  secret: bytes(),
  previous_secret: nullable(bytes()),
  previous_secret_until: nullable(time()),
  updated_at: time(),
  /** The person who set the secret. */
  set_by: nullable(text()),
  previous_set_by: nullable(text()),
})
