import type { Right } from '../access/rights.ts'
import type { JobRef, JobStatus } from './jobs.ts'
import type { NodeError, NodeMilestone, Receipt } from './nodes.ts'
import type { AnswerSource, InterventionChange } from '../people/intervention.ts'
import type { Label } from '../pathways/labels/labels.ts'
import type { JsonSchema, JsonValue } from '../shared/json/json.ts'
import type { TraceTurn } from '../agents/run-spec.ts'

/** Changes of a run, projected into Postgres and the job's stream. A second application changes nothing. */
export interface RecordInput {
  job: JobRef
  status?: JobStatus
  /** Sequence number of the status: an older change that arrives late has no effect. */
  seq?: number
  current_step?: string
  progress?: { done: number; total: number }
  nodes: NodeMilestone[]
  interventions: InterventionChange[]
  /** Numbers of the first nodes and interventions that activities have published, and whether the status is too. */
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

/** What a run returns to the run that started it. */
export type ChildResult = { result: JsonValue; labels?: Label[] }

/** The end of a run. Postgres is written first, then the terminal event of the stream. */
export interface FinishInput extends RecordInput, RunEnding {
  at: string
  /** The turn that the result answers. */
  trace?: TraceTurn
}

/** The job row of a child run. */
export interface OpenChildInput {
  job: JobRef
  parent_key: string
  pathway: { id: string | null; version: number | null; title: string }
  requester: string
  input: JsonValue
  /** JSON Schema of the input. A mismatch fails with `INVALID_INPUT` and its problems. */
  schema?: JsonSchema
  run_title?: string
}

/** What the input and the title of a child run become. */
export interface OpenedChild {
  /** Present if the schema filled in defaults. */
  input?: JsonValue
  title?: string
  delay_ms?: number
  console_runs?: string
}

/** Who moves a run, with the credential, the request and the bulk job for the audit log. */
export interface MigrationAuthor {
  actor: string
  /** The person behind the actor, where it is not the actor itself. */
  person?: string
  /** Everyone behind the actor, and the authors of what the run follows from now on. */
  people: string[]
  /** What the author may do: a run that is moved keeps no other right. */
  rights: Right[]
  via?: AnswerSource
  bulk?: { job_id: string; reason?: string }
}

/** The move of a run to another version of its pathway, or with `is_undo` back from it. */
export interface MigrationRecord {
  job: JobRef
  /** The id of the move; an undo has that of the move. */
  id: string
  from_version: number | null
  to_version: number | null
  by: MigrationAuthor
  /** ISO 8601. */
  at: string
  is_undo?: boolean
  /** Keys of nodes that the move had skipped, of an undo. */
  unskipped?: string[]
  /** Keys of the nodes in which people decide again. */
  asked_again?: string[]
  /** Keys of all nodes that the run returns from to ask again. */
  dropped?: string[]
}
