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
  last_decision: nullable(text()),
  last_reason: nullable(text()),
  last_decided_at: nullable(time()),
  /** Runs that have failed since one has completed. */
  failed_runs: integer(),
  /** When to bring Temporal to the state of the trigger; null once it is there. */
  sync_due_at: nullable(time()),
  /** Why that failed the last time. */
  sync_error: nullable(text()),
  /** As announced by the latest event. */
  health: text(),
  health_reason: nullable(text()),
  health_at: time(),
  /** Whether Temporal may have a schedule of it. */
  has_schedule: boolean(),
  schedule_hash: nullable(text()),
})

/** The live triggers that wait for events or messages. A policy of the publisher on resources would keep all other queries from the indexes of that table. */
export const triggerListenersTable = defineTable('trigger_listeners', {
  trigger_id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  trigger_type: text(),
  settings: json(),
})

/** Events on their way to triggers. */
export const triggerEventsTable = defineTable('trigger_events', {
  id: primary(uuid()),
  workspace_id: uuid(),
  trigger_id: uuid(),
  /** One firing per key. */
  dedupe_key: text(),
  /** The fields of the event; those of the latest one where several are counted together. */
  event: json(),
  /** When it happened. */
  at: time(),
  /** The runs that have caused the events; null for what no run has. */
  causes: texts(),
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

export const triggerFiringsTable = defineTable('trigger_firings', {
  id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  trigger_id: uuid(),
  trigger_version: integer(),
  source: text(),
  decision: text(),
  reason: nullable(text()),
  job_id: nullable(text()),
  dedupe_key: text(),
  duplicate_of: nullable(uuid()),
  depth: integer(),
  fired_by: nullable(text()),
  event: nullable(json()),
  input: nullable(json()),
  created_at: time(),
  /** When to start the run again, in case it has not begun; null once it has. */
  start_due_at: nullable(time()),
  /** The workflow that waits for the end of the run. */
  workflow_id: nullable(text()),
  /** The key of a replay names the firing whose event it repeats. */
  replay_of: generated(nullable(uuid())),
  /** Who has caused the event, for a replay. */
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
