import type { InterventionChange, JobRef, JobStatus, NodeError, NodeMilestone, Receipt } from './jobs.ts'
import type { JsonSchema, JsonValue } from './json.ts'
import type { TraceTurn } from './neurons/run-spec.ts'

/** A projection of the run into Postgres and the job's stream. Applying it twice changes nothing. */
export interface RecordInput {
  job: JobRef
  status?: JobStatus
  /** Counts the changes of status: an older change that arrives late has no effect. */
  seq?: number
  current_step?: string
  progress?: { done: number; total: number }
  nodes: NodeMilestone[]
  interventions: InterventionChange[]
  /** Numbers of the first nodes and interventions that activities have published to the stream, and whether the status is. */
  published?: { nodes: number; interventions: number; status: boolean }
}

/** How a run has ended. */
export interface RunEnding {
  outcome: 'completed' | 'failed' | 'cancelled'
  result?: JsonValue
  error?: NodeError
  receipt?: Receipt
}

/** The end of a run. Postgres first, then the stream's terminal event. */
export interface FinishInput extends RecordInput, RunEnding {
  at: string
  /** Where the result is the answer. */
  trace?: TraceTurn
}

/** A child run's own job row. */
export interface OpenChildInput {
  job: JobRef
  parent_key: string
  pathway: { id: string | null; version: number | null; title: string }
  requester: string
  input: JsonValue
  /** JSON Schema the input must satisfy; an `INVALID_INPUT` failure says how it does not. */
  schema?: JsonSchema
}
