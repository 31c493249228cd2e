import type { Right } from '../../domain/access/rights.ts'
import type { Label } from '../../domain/pathways/labels/labels.ts'
import type { AskedAgain, RepeatedEffect } from '../../domain/pathways/fork/types.ts'
import type { BulkOutcome } from '../../domain/runs/bulk/bulk.ts'
import type { JobKind, JobStatus } from '../../domain/runs/jobs.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type {
  DecisionCovers,
  FailedAttempt,
  NodeError,
  NodeStatus,
  Receipt,
  SentRequest,
} from '../../domain/runs/nodes.ts'
import {
  defineTable,
  bigint,
  boolean,
  bytes,
  generated,
  integer,
  json,
  jsonb,
  nullable,
  numeric,
  primary,
  smallint,
  text,
  texts,
  time,
  uuid,
  uuids,
} from '../shared/table.ts'

/**
 * Projections of runs. Temporal is the source of truth. Inputs and outputs are `json`, not `jsonb`, because they must
 * be returned unchanged and are never queried by field.
 */
export const jobsTable = defineTable('jobs', {
  job_id: primary(text()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  root_job_id: text(),
  /** The run that started this run. Null for outermost runs. */
  parent_job_id: nullable(text()),
  /** The key of the node or call in the parent run that started this run. */
  parent_key: nullable(text()),
  kind: text<JobKind>(),
  pathway_id: nullable(uuid()),
  pathway_version: nullable(integer()),
  /** The asset that an ingest job processes. */
  asset_id: nullable(uuid()),
  neuron_id: nullable(uuid()),
  neuron_version: nullable(integer()),
  receptor_id: nullable(uuid()),
  /** The thread in which the run is a turn, and the turn number. */
  trace_id: nullable(uuid()),
  turn: nullable(integer()),
  title: text(),
  status: text<JobStatus>(),
  /** The number of the latest status change. Older changes that arrive late are ignored. */
  status_seq: integer(),
  progress: nullable(json<{ done: number; total: number }>()),
  current_step: nullable(text()),
  requester: text(),
  input: nullable(json()),
  result: nullable(json()),
  failed_reason: nullable(text()),
  failed_code: nullable(text()),
  cancelled_by: nullable(text()),
  receipt: nullable(json<Receipt>()),
  usage: jsonb<Usage>(),
  created_at: time(),
  processed_at: nullable(time()),
  finished_at: nullable(time()),
  /** The brains that the requester can access. Null means all. */
  requester_brains: nullable(uuids()),
  child_runs: integer(),
  /** When the input, result and nodes were removed. */
  purged_at: nullable(time()),
  meeting_id: generated(nullable(text())),
  /** The hash of the transcribed recording, until the recording is purged. */
  audio_sha256: generated(nullable(text())),
  /** The key of the node that failed first, if any. */
  failed_node_key: nullable(text()),
  reserved_usd: numeric(),
  /** The credential that started the run. Null for child runs. */
  credential: nullable(text()),
  /** The trigger that started the run. */
  trigger_id: nullable(uuid()),
  definition: nullable(json()),
  /** Everyone behind the run, with the requester's person first. */
  people: texts(),
  rights: texts<Right>(),
  /** The thread whose message started the run. The run is not a turn of that thread. */
  source_trace_id: nullable(uuid()),
  /** Sources of untrusted content in the data that the run was started with. Null means none. */
  labels: nullable(texts<Label>()),
})

/** The latest milestone of each node in a run. */
export const jobNodesTable = defineTable('job_nodes', {
  workspace_id: uuid(),
  job_id: primary(text()),
  key: primary(text()),
  node_id: text(),
  node_type: text(),
  title: nullable(text()),
  status: text<NodeStatus>(),
  at: time(),
  /** Orders milestones that have the same millisecond. */
  rank: smallint(),
  attempt: nullable(integer()),
  /** The port through which the run left the node. */
  port: nullable(text()),
  output: nullable(json()),
  error: nullable(json<NodeError>()),
  /** The text that the node streamed. */
  transcript: nullable(text()),
  started_at: nullable(time()),
  finished_at: nullable(time()),
  input: nullable(json()),
  failed_attempts: nullable(jsonb<Record<string, FailedAttempt>>()),
  /** For a node that a fork took over, the original run. */
  origin_job_id: nullable(text()),
  labels: nullable(texts<Label>()),
  covers: nullable(json<DecisionCovers>()),
  is_given: nullable(boolean<true>()),
  sent: nullable(json<SentRequest>()),
})

/** Forks: runs that continue another run from one of its nodes. */
export const jobForksTable = defineTable('job_forks', {
  workspace_id: uuid(),
  job_id: primary(text()),
  origin_job_id: text(),
  kind: text<'fork' | 'retry' | 'reopen'>(),
  /** The node from which the fork continues. Null for a retry of all incomplete nodes. */
  from_key: nullable(text()),
  actor: text(),
  reason: nullable(text()),
  /** How the fork differs from the original run. `outputs`: the keys of nodes whose output was replaced. */
  changes: json<{ input: boolean; pathway_version: boolean; outputs: string[] }>(),
  created_at: time(),
  /**
   * How the fork treats decisions made in the original run. `kept`: the keys of nodes whose decisions still apply in
   * the fork. `repeated`: the effects that happen again after such a decision.
   */
  decisions: json<{ asked_again: AskedAgain[]; kept: string[]; repeated: RepeatedEffect[] }>(),
})

/** Moves of runs to other versions of their pathways. */
export const jobMigrationsTable = defineTable('job_migrations', {
  workspace_id: uuid(),
  job_id: primary(text()),
  id: primary(uuid()),
  from_version: integer(),
  to_version: integer(),
  actor: text(),
  at: time(),
  undone_by: nullable(text()),
  undone_at: nullable(time()),
})

/** The runs in a bulk job, in processing order, with their outcomes. */
export const bulkItemsTable = defineTable('bulk_items', {
  workspace_id: uuid(),
  job_id: primary(text()),
  /** The id of the run. The run may be removed before the bulk job is. */
  run_id: primary(text()),
  run_brain_id: nullable(uuid()),
  ordinal: generated(bigint()),
  /** When the operation was started. From then on, the run may have received it. */
  begun_at: nullable(time()),
  outcome: nullable(text<BulkOutcome>()),
  code: nullable(text()),
  message: nullable(text()),
  at: nullable(time()),
  /** Number of attempts that the run did not answer. */
  unanswered: integer(),
})

/** Large Temporal payloads. They are read by workflow id and hash, in transactions that belong to no workspace. */
export const runPayloadsTable = defineTable('run_payloads', {
  job_id: primary(text()),
  sha256: primary(text()),
  bytes: bytes(),
  created_at: time(),
})
