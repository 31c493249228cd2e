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

/** A change of a node's status; `job_nodes` contains the last one per `key`. Times are ISO 8601. */
export interface NodeMilestone {
  /** Node key: `review`, `each[3]/fetch`, `revise[1]/draft`. */
  key: string
  node_id: string
  node_type: string
  title?: string
  status: NodeStatus
  at: string
  attempt?: number
  /** The port by which the node was left. */
  port?: string
  /** What the node was called with, if its type records that. */
  input?: JsonValue
  output?: JsonValue
  /** Sources of untrusted content in the output. */
  labels?: Label[]
  /** Whether a person has given the output. */
  is_given?: true
  /** What the decision in the node is about. */
  covers?: DecisionCovers
  /** The last request that the node has sent out. */
  sent?: SentRequest
  error?: NodeError
  /** Attempts that failed and were followed by another one, by their number. */
  failed_attempts?: Record<string, FailedAttempt>
}

/** What a decision of people holds for. Hashes are SHA-256 (hex) of canonical JSON (RFC 8785). */
export interface DecisionCovers {
  /** The values known at the decision that the node and the nodes after it read, by name: `input.amount`, `nodes.quote`. */
  values: Record<string, string>
  /** The definition of these nodes, with the versions of what they refer to. */
  definition: string
}

/** A request that has left the service, without its content. Secret headers are not part of the hash. */
export interface SentRequest {
  /** SHA-256 (hex) of the canonical JSON (RFC 8785) of `{method, url, headers, body}`, where `body` is the SHA-256 of its bytes. */
  sha256: string
  method: string
  /** Scheme, host and port. */
  origin: string
  /** Size of the body. */
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

/** Outcome of one node of a cancelled or failed run. */
export interface ReceiptLine {
  node_id: string
  key: string
  outcome: 'stopped' | 'finished_first' | 'compensated' | 'compensation_failed' | 'in_doubt'
  message?: string
  /** The last request that the node has sent out. Present when a single job is read. */
  sent?: SentRequest
}
export type Receipt = ReceiptLine[]
