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

/** The state of each trigger beside its document. */
export const triggerStatesTable = defineTable('trigger_states', {
  trigger_id: primary(uuid()),
  workspace_id: uuid(),
  last_fired_at: nullable(time()),
  /** The latest decision about an event, other than duplicates and filtered ones. */
  last_decision: nullable(text<FiringDecision>()),
  last_reason: nullable(text()),
  last_decided_at: nullable(time()),
  /** Runs that have failed since one has completed. */
  failed_runs: integer(),
  /** When to bring Temporal to the state of the trigger; null once it is there. */
  sync_due_at: nullable(time()),
  /** Why that failed the last time. */
  sync_error: nullable(text()),
  /** As announced by the latest event. */
  health: text<TriggerHealth>(),
  health_reason: nullable(text()),
  health_at: time(),
  /** Whether Temporal may have a schedule of it. */
  has_schedule: boolean(),
  /** The hash of the schedule that was written last. */
  schedule_hash: nullable(text()),
})

/** The live triggers that wait for events or messages. A policy of the publisher on resources would keep all other queries from the indexes of that table. */
export const triggerListenersTable = defineTable('trigger_listeners', {
  trigger_id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  trigger_type: text<TriggerTypeName>(),
  settings: json<TriggerSettings['chat' | 'event']>(),
})

/** Events on their way to triggers. */
export const triggerEventsTable = defineTable('trigger_events', {
  id: primary(uuid()),
  workspace_id: uuid(),
  trigger_id: uuid(),
  /** One firing per key. */
  dedupe_key: text(),
  /** The fields of the event; those of the latest one where several are counted together. */
  event: json<JsonObject>(),
  /** When it happened. */
  at: time(),
  /** The runs that have caused the events; null for what no run has. */
  causes: texts<string | null>(),
  /** Events with the same key are counted together, until the row is taken. */
  debounce_key: nullable(text()),
  merged: integer(),
  /** The run of the neuron that decides about a message. */
  router_job_id: nullable(text()),
  attempts: integer(),
  created_at: time(),
  due_at: time(),
  /** The resources and interventions that the events are about. */
  subjects: texts(),
  trace_id: generated(nullable(text())),
})

/** Events of triggers, and what became of them. */
export const triggerFiringsTable = defineTable('trigger_firings', {
  id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  trigger_id: uuid(),
  /** The version of the trigger that decided. */
  trigger_version: integer(),
  /** What made it fire: the type of the trigger, or `manual`. */
  source: text<TriggerTypeName>(),
  decision: text<FiringDecision>(),
  reason: nullable(text()),
  job_id: nullable(text()),
  dedupe_key: text(),
  /** The firing that had the key first. */
  duplicate_of: nullable(uuid()),
  /** Number of triggers that led to this firing, without this one. */
  depth: integer(),
  /** Who fired it by request; null for what happened by itself. */
  fired_by: nullable(text()),
  event: nullable(json<JsonObject>()),
  /** The input of the run. */
  input: nullable(json()),
  created_at: time(),
  /** When to start the run again, in case it has not begun; null once it has. */
  start_due_at: nullable(time()),
  /** The workflow that waits for the end of the run. */
  workflow_id: nullable(text()),
  /** The key of a replay names the firing whose event it repeats. */
  replay_of: generated(nullable(uuid())),
  /** Everyone behind the run, and of what has none, who caused the event. */
  people: texts(),
  trace_id: generated(nullable(text())),
})

/** Secrets that check the signatures of webhook requests. */
export const hookSecretsTable = defineTable('hook_secrets', {
  trigger_id: primary(uuid()),
  workspace_id: uuid(),
  /** Encrypted. The previous secret is accepted, too, until its end. */
  secret: bytes(),
  previous_secret: nullable(bytes()),
  previous_secret_until: nullable(time()),
  updated_at: time(),
  /** Who has set the secrets. */
  set_by: nullable(text()),
  previous_set_by: nullable(text()),
})
