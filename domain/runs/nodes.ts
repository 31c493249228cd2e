import { type Label } from '../pathways/labels/labels.ts'
import { type JsonValue } from '../shared/json/json.ts'

export const NODE_STATUSES = [
  'running',
  'waiting',
  'completed',
  'failed',
  'skipped',
  'cancelled',
  'compensated',
] as const
export type NodeStatus = (typeof NODE_STATUSES)[number]

/** A change in a node's status. `job_nodes` contains the latest one per `key`. Times are ISO 8601. */
export interface NodeMilestone {
  /** Node key: `review`, `each[3]/fetch`, `revise[1]/draft`. */
  key: string
  node_id: string
  node_type: string
  title?: string
  status: NodeStatus
  at: string
  attempt?: number
  /** The port through which the run left the node. */
  port?: string
  /** The node's input, if the node type records it. */
  input?: JsonValue
  output?: JsonValue
  /** Sources of untrusted content in the output. */
  labels?: Label[]
  /** Whether a person supplied the output. */
  is_given?: true
  /** Scope of the node's decision. */
  covers?: DecisionCovers
  /** The last request that the node sent out. */
  sent?: SentRequest
  error?: NodeError
  /** Failed attempts that were followed by another attempt, by attempt number. */
  failed_attempts?: Record<string, FailedAttempt>
}

/** Scope of a decision. Hashes are SHA-256 (hex) of canonical JSON (RFC 8785). */
export interface DecisionCovers {
  /**
   * Hashes of the values that were known at the time of the decision and that the node and the nodes after it read.
   * Keyed by name: `input.amount`, `nodes.quote`.
   */
  values: Record<string, string>
  /** Hash of the definition of these nodes, with the versions of their references. */
  definition: string
}

/** A request that left the service, without its content. Secret headers are not part of the hash. */
export interface SentRequest {
  /** SHA-256 (hex) of the canonical JSON (RFC 8785) of `{method, url, headers, body}`, where `body` is the SHA-256 of its bytes. */
  sha256: string
  method: string
  /** Scheme, host and port. */
  origin: string
  /** Body size in bytes. */
  bytes: number
  /** ISO 8601. */
  at: string
}

/** `at` is ISO 8601. */
export interface FailedAttempt {
  at: string
  code: string
  message: string
}

export interface NodeError {
  code: string
  message: string
  /** The node that failed first, if the error comes from inside a `map`, a `loop` or the run. */
  node_key?: string
}

/** Outcome of one node in a cancelled or failed run. */
export interface ReceiptLine {
  node_id: string
  key: string
  outcome: 'stopped' | 'finished_first' | 'compensated' | 'compensation_failed' | 'in_doubt'
  message?: string
  /** The last request that the node sent out. Only present when a single job is read. */
  sent?: SentRequest
}
export type Receipt = ReceiptLine[]
