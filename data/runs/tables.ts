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

/** Projections of runs; Temporal is the authority. Inputs and outputs are `json`, not `jsonb`: they are returned unchanged and never searched. */
export const jobsTable = defineTable('jobs', {
  job_id: primary(text()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  root_job_id: text(),
  /** The run that started this one. Null for outermost runs. */
  parent_job_id: nullable(text()),
  /** Key of the node or the call in that run. */
  parent_key: nullable(text()),
  kind: text<JobKind>(),
  pathway_id: nullable(uuid()),
  pathway_version: nullable(integer()),
  /** The asset of an ingest. */
  asset_id: nullable(uuid()),
  neuron_id: nullable(uuid()),
  neuron_version: nullable(integer()),
  receptor_id: nullable(uuid()),
  /** The thread of the run, and the number of its turn. */
  trace_id: nullable(uuid()),
  turn: nullable(integer()),
  title: text(),
  status: text<JobStatus>(),
  /** Number of the last status change; older changes that arrive late have no effect. */
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
  /** Brains that the requester may see. Null means all. */
  requester_brains: nullable(uuids()),
  child_runs: integer(),
  /** The time when its input, result and nodes were removed. */
  purged_at: nullable(time()),
  meeting_id: generated(nullable(text())),
  /** The recording that a transcription was given, until it is purged. */
  audio_sha256: generated(nullable(text())),
  /** Key of the node that failed first, if one did. */
  failed_node_key: nullable(text()),
  reserved_usd: numeric(),
  /** The credential that started it. Null for child runs. */
  credential: nullable(text()),
  /** The trigger that started it. */
  trigger_id: nullable(uuid()),
  definition: nullable(json()),
  /** Everyone behind the run, the person of the requester first. */
  people: texts(),
  rights: texts<Right>(),
  /** The thread whose message started the run. The run is none of its turns. */
  source_trace_id: nullable(uuid()),
  /** Sources of untrusted content that it was started with. Null means none. */
  labels: nullable(texts<Label>()),
})

/** The latest milestone of each node of a run. */
export const jobNodesTable = defineTable('job_nodes', {
  workspace_id: uuid(),
  job_id: primary(text()),
  key: primary(text()),
  node_id: text(),
  node_type: text(),
  title: nullable(text()),
  status: text<NodeStatus>(),
  at: time(),
  /** Orders milestones of the same millisecond. */
  rank: smallint(),
  attempt: nullable(integer()),
  /** The port by which the node was left. */
  port: nullable(text()),
  output: nullable(json()),
  error: nullable(json<NodeError>()),
  /** The text that the node streamed. */
  transcript: nullable(text()),
  started_at: nullable(time()),
  finished_at: nullable(time()),
  input: nullable(json()),
  failed_attempts: nullable(jsonb<Record<string, FailedAttempt>>()),
  /** The run that had the node, where a fork has taken it over. */
  origin_job_id: nullable(text()),
  labels: nullable(texts<Label>()),
  covers: nullable(json<DecisionCovers>()),
  is_given: nullable(boolean<true>()),
  sent: nullable(json<SentRequest>()),
})

/** Runs that continue another run from one of its nodes. */
export const jobForksTable = defineTable('job_forks', {
  workspace_id: uuid(),
  job_id: primary(text()),
  origin_job_id: text(),
  kind: text<'fork' | 'retry' | 'reopen'>(),
  /** Null for a retry of all that was not completed. */
  from_key: nullable(text()),
  actor: text(),
  reason: nullable(text()),
  /** What differs from the run. `outputs`: the keys of nodes whose output was replaced. */
  changes: json<{ input: boolean; pathway_version: boolean; outputs: string[] }>(),
  created_at: time(),
  /**
   * What the fork does with the decisions of its run. `kept`: the keys of the nodes whose decision holds in the fork.
   * `repeated`: the effects that happen a second time after a decision that holds.
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

/** The runs of a bulk job, in its order, and the outcome of each. */
export const bulkItemsTable = defineTable('bulk_items', {
  workspace_id: uuid(),
  job_id: primary(text()),
  /** The run. It may be removed before the bulk job. */
  run_id: primary(text()),
  run_brain_id: nullable(uuid()),
  ordinal: generated(bigint()),
  /** When the operation began: from then on the run may have received it. */
  begun_at: nullable(time()),
  outcome: nullable(text<BulkOutcome>()),
  code: nullable(text()),
  message: nullable(text()),
  at: nullable(time()),
  /** Attempts that the run has not answered. */
  unanswered: integer(),
})

/** Large payloads of Temporal, read by workflow id and hash without a workspace. */
export const runPayloadsTable = defineTable('run_payloads', {
  job_id: primary(text()),
  sha256: primary(text()),
  bytes: bytes(),
  created_at: time(),
})
