import type { Right } from '../access/rights.ts'
import type { Label } from '../pathways/labels/labels.ts'
import type { Handling, HandlingChange } from '../people/handling.ts'
import type { JsonSchema, JsonValue } from '../shared/json/json.ts'

/** The statuses of jobs that have not ended. */
export const OPEN_STATUSES = ['pending', 'running', 'waiting', 'paused'] as const
export const JOB_STATUSES = [...OPEN_STATUSES, 'completed', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
/** Orders of lists of jobs. Cost includes child runs; an open job has taken as long as it is open. */
export const JOB_ORDERS = ['newest', 'oldest', 'longest', 'costliest'] as const
export type JobOrder = (typeof JOB_ORDERS)[number]

/** How a job has ended. The status of a cancelled job is `failed`. */
export const JOB_OUTCOMES = ['completed', 'failed', 'cancelled'] as const
export type JobOutcome = (typeof JOB_OUTCOMES)[number]
/** Filters of outcomes: `open` is a job that has not ended. */
export const OUTCOME_FILTERS = ['open', ...JOB_OUTCOMES] as const
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number]

export const isTerminal = (status: JobStatus): boolean => status === 'completed' || status === 'failed'

/** The type of a job. Each kind has a separate workflow. */
export type JobKind = (typeof JOB_KINDS)[number]
export const JOB_KINDS = [
  'pathway',
  'neuron',
  'ingest',
  'search',
  'discover',
  'tool',
  'transcribe',
  'meeting',
  'purge',
  'bulk',
] as const
/** Whether jobs of the kind can pause: a pathway pauses between nodes, a neuron between steps. */
export const canPause = (kind: JobKind): boolean => kind === 'pathway' || kind === 'neuron'

/** Whether a cancel stops jobs of the kind. A purge goes on, because its target is deleted already. */
export const canCancel = (kind: JobKind): boolean => kind !== 'purge'

/** Reference to the job of a run. It is small because it is part of each activity's input. */
export interface JobRef {
  job_id: string
  workspace_id: string
  brain_id?: string
  /** Brains that the requester may see; all of the workspace if absent. */
  brain_ids?: string[]
  /** Everyone behind the run, the person of its requester first. They may not decide in it where a node asks others. */
  people: string[]
  /** What the run may do: never more than its caller, its origin and the run above it. */
  rights: Right[]
  /** Sources of untrusted content that the run was started with. */
  labels?: Label[]
  /** Outermost job of a tree of runs; equals `job_id` unless this is a child run. */
  root_job_id: string
  /** The run that started this one; absent for the outermost run. */
  parent_job_id?: string
  /** Number of runs above this one; 0 if absent. */
  depth?: number
  /** The place of this run below the root job: `review`, `each[3]/sub/fetch`. Absent for the outermost run. */
  root_key?: string
}

/** Limit of the runs below a root job, at all levels. */
export const MAX_CHILD_RUNS = 10_000

type Position = Required<Pick<JobRef, 'parent_job_id' | 'depth' | 'root_key'>>

/**
 * Returns the position of a child run of this job.
 * @param key of the node or the call in this job
 */
export const buildParentFields = ({ job_id, depth = 0, root_key }: JobRef, key: string): Position => ({
  parent_job_id: job_id,
  depth: depth + 1,
  root_key: joinKeys(root_key, key),
})

/** Returns the key in the root job of a node whose run is at `rootKey`. */
export const joinKeys = (rootKey: string | undefined, key: string): string =>
  rootKey === undefined ? key : `${rootKey}/${key}`

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

export const INTERVENTION_KINDS = ['approval', 'form', 'questions'] as const
export type InterventionKind = (typeof INTERVENTION_KINDS)[number]
export const INTERVENTION_ACTIONS = [
  'approve',
  'reject',
  'submit_input',
  'answer_questions',
  'decline_questions',
] as const
export type InterventionAction = (typeof INTERVENTION_ACTIONS)[number]

/** Interventions are counted up to this number. */
export const MAX_COUNTED = 1_000

export const INTERVENTION_STATUSES = ['open', 'decided', 'timed_out', 'cancelled'] as const

/** `opened` and `closed`: the latest first. `due`: what is due next first, then what has no due time. */
export const INTERVENTION_ORDERS = ['opened', 'due', 'closed'] as const
export type InterventionOrder = (typeof INTERVENTION_ORDERS)[number]

export const ACTIONS: Record<InterventionKind, readonly InterventionAction[]> = {
  approval: ['approve', 'reject'],
  form: ['submit_input'],
  questions: ['answer_questions', 'decline_questions'],
}

export interface Question {
  id: string
  text: string
  options?: string[]
}

/** A request to people or groups. A run opens it; a decision, its due time or a cancel closes it. */
export interface Intervention {
  id: string
  node_key: string
  node_id: string
  kind: InterventionKind
  title: string
  description?: string
  form?: JsonSchema
  questions?: Question[]
  /** Data that is shown to the person beside the text. */
  context?: JsonValue
  assignees: string[]
  quorum: number
  /** The people who may not decide, because they are behind the run. Absent where everyone may. */
  excluded?: string[]
  due_at?: string
  opened_at: string
}

/** An intervention as it is shown to a visitor whom it asks: without nodes, people and groups. */
export interface VisitorTask extends Pick<
  Intervention,
  'kind' | 'title' | 'description' | 'form' | 'questions' | 'context' | 'due_at' | 'opened_at'
> {
  interventionId: string
  actions: readonly InterventionAction[]
}

/** An answer as in `POST /v1/jobs/:jobId/input`, without `type` and `interventionId`. */
export interface Answer {
  action: InterventionAction
  comment?: string
  data?: JsonValue
  answers?: Record<string, string>
}

/** The credential and the request of an answer, for the audit log. */
export interface AnswerSource {
  key_id: string
  request_id?: string
}

/** An accepted answer, with its author and time. */
export interface Vote extends Answer {
  by: string
  /** The person behind the author; the author itself if absent. */
  person?: string
  /** The absent assignee whose right to answer the author has used as its substitute. */
  on_behalf_of?: string
  /** The assignee as which the author answered: a person or a group; absent where everyone may answer. */
  answered_as?: string
  via?: AnswerSource
  at: string
  /** What a decision is about. Absent in votes that do not decide, and in runs of agents. */
  covers?: DecisionCovers
}

/** A change of who deals with an intervention, with all who may answer after it. An escalation has no author. */
export interface HandlingEvent {
  change: HandlingChange
  id: string
  node_key?: string
  at: string
  assignees: string[]
  /** Absent in escalations of former versions, whose assignees add up. */
  handling?: Handling
  /** The people who may not decide from now on, of a change to them. */
  excluded?: string[]
  by?: string
  /** The person behind the author; the author itself if absent. */
  person?: string
  via?: AnswerSource
  comment?: string
}

export type InterventionChange =
  | { change: 'opened'; intervention: Intervention }
  | { change: 'answered'; id: string; node_key?: string; vote: Vote; decided: boolean; decision?: Vote }
  | { change: 'reminded'; id: string; node_key?: string; at: string }
  | HandlingEvent
  | { change: 'timed_out'; id: string; node_key?: string; at: string }
  | { change: 'cancelled'; id: string; node_key?: string; at: string }

/** The reply to an accepted answer. The same answer sent again has the same reply. */
export interface AnswerReply {
  job_id: string
  interventionId: string
  action: InterventionAction
  by: string
  at: string
  /** False while the quorum lacks approvals. */
  decided: boolean
  approvals: number
  quorum: number
  /** True while it is unknown whether the answer counts. */
  pending?: boolean
}

/** An answer that may still count: no worker has taken it yet. */
export interface PendingAnswer {
  action: string
  by: string
  at: string
}

/** `waitingFor` of the job record. */
export interface WaitingFor {
  interventionId: string
  /** Id of the child run that has the intervention; absent for the job itself. */
  job_id?: string
  kind: InterventionKind
  title: string
  description?: string
  node_id: string
  actions: readonly InterventionAction[]
  form?: JsonSchema
  questions?: Question[]
  context?: JsonValue
  assignees: string[]
  quorum: number
  /** Number of approvals so far. The node continues when it reaches the quorum. */
  approvals: number
  due_at?: string
  opened_at: string
  /** Answers that no worker has taken yet, and that may still count. */
  pending_answers?: PendingAnswer[]
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

/** An event of a job's stream, as SSE `data`. The specification defines `token`, `complete` and `error` only. */
export type JobEvent =
  | RunEvent
  | { type: 'status'; status: JobStatus; current_step?: string }
  | { type: 'progress'; done: number; total: number }
  /** Text of a piece of a meeting, or the error of its transcription. Times are in seconds, absent until known. */
  | {
      type: 'segment'
      seq: number
      text: string
      speaker?: string
      start?: number
      end?: number
      error?: NodeError
    }
  /** The run follows another version of its pathway from here on. With `undone`, it has moved back. */
  | {
      type: 'migrated'
      from_version: number | null
      to_version: number | null
      by: string
      at: string
      undone?: true
    }
  /** The meeting has ended, and its transcript is available. */
  | { type: 'ended'; artifact_id?: string }
  | { type: 'gap'; message: string }
  | { type: 'complete'; result: JsonValue }
  | { type: 'error'; message: string; code: string }

/**
 * An event that the stream of the root job has, too. There `job_id` is the child run, and `key` begins with the key of the
 * node that started it.
 */
export type RunEvent = { job_id?: string } & (
  | { type: 'token'; token: string; node_id?: string; key?: string }
  | { type: 'attempt_reset'; node_id: string; key: string; attempt: number }
  | {
      type: 'node'
      node_id: string
      key: string
      node_type: string
      status: NodeStatus
      at: string
      port?: string
      error?: NodeError
    }
  | {
      type: 'intervention'
      change: InterventionChange['change']
      interventionId: string
      key?: string
      node_id?: string
      title?: string
      action?: string
      by?: string
      /** Of an answer: false while the quorum lacks approvals. */
      decided?: boolean
      /** Of the opening, and of a change of who deals with it: all who may answer after it. */
      assignees?: string[]
      /** Of an opening that asks a visitor. */
      task?: VisitorTask
      at: string
    }
  /** A notice to the reader, such as `CONTEXT_COMPACTED` for a shortened context. */
  | { type: 'notice'; node_id: string; key: string; code: string; message: string }
)

export interface Usage {
  input_tokens: number
  output_tokens: number
  usd: number
}

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  usd: a.usd + b.usd,
})
