import type { Right } from '../access/rights.ts'
import type { JobRef, JobStatus } from './jobs.ts'
import type { NodeError, NodeMilestone, Receipt } from './nodes.ts'
import type { AnswerSource, InterventionChange } from '../people/intervention.ts'
import type { Label } from '../pathways/labels/labels.ts'
import type { JsonSchema, JsonValue } from '../shared/json/json.ts'
import type { TraceTurn } from '../agents/run-spec.ts'

/** Run changes to project into Postgres and the job's stream. Applying them again has no effect. */
export interface RecordInput {
  job: JobRef
  status?: JobStatus
  /** Sequence number of the status. An older change that arrives late has no effect. */
  seq?: number
  current_step?: string
  progress?: { done: number; total: number }
  nodes: NodeMilestone[]
  interventions: InterventionChange[]
  /**
   * Number of leading nodes and tasks that activities have already published, and whether they have published the
   * status.
   */
  published?: { nodes: number; interventions: number; status: boolean }
}

/** The outcome of a run. */
export interface RunEnding {
  outcome: 'completed' | 'failed' | 'cancelled'
  result?: JsonValue
  /** Sources of untrusted content in the result. */
  labels?: Label[]
  error?: NodeError
  receipt?: Receipt
}

/** The value that a child run returns to its parent. */
export type ChildResult = { result: JsonValue; labels?: Label[] }

/** The end of a run. It is written to Postgres first, then as the terminal event of the stream. */
export interface FinishInput extends RecordInput, RunEnding {
  at: string
  /** The turn answered by the result. */
  trace?: TraceTurn
}

/** The job row of a child run. */
export interface OpenChildInput {
  job: JobRef
  parent_key: string
  pathway: { id: string | null; version: number | null; title: string }
  requester: string
  input: JsonValue
  /** JSON Schema of the input. Input that doesn't match fails with `INVALID_INPUT` and a list of the problems. */
  schema?: JsonSchema
  run_title?: string
}

/** Resolved input and title of a child run. */
export interface OpenedChild {
  /** Present if the schema added defaults. */
  input?: JsonValue
  title?: string
  delay_ms?: number
  console_runs?: string
}

/** The person who moves a run, with the credential, the request and the bulk job for the audit log. */
export interface MigrationAuthor {
  actor: string
  /** The person behind the actor, if that is someone else. */
  person?: string
  /** Everyone behind the actor, and the authors of the version that the run moves to. */
  people: string[]
  /** Permissions of the author. A moved run keeps only these rights. */
  rights: Right[]
  via?: AnswerSource
  bulk?: { job_id: string; reason?: string }
}

/** A move of a run to another version of its pathway. With `is_undo`, the move back to the previous version. */
export interface MigrationRecord {
  job: JobRef
  /** Id of the move. An undo has the same id. */
  id: string
  from_version: number | null
  to_version: number | null
  by: MigrationAuthor
  /** ISO 8601. */
  at: string
  is_undo?: boolean
  /** Set for an undo: keys of nodes that the move had skipped. */
  unskipped?: string[]
  /** Keys of the nodes in which people decide again. */
  asked_again?: string[]
  /** Keys of all nodes that return to "not reached", so that a decision can be repeated. */
  dropped?: string[]
}
