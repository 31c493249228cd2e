import type { JsonSchema, JsonValue } from './json.ts'

export type JobStatus = 'pending' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed'
export const JOB_STATUSES = ['pending', 'running', 'waiting', 'paused', 'completed', 'failed'] as const
export const isTerminal = (status: JobStatus): boolean => status === 'completed' || status === 'failed'

/** What a job does; each kind is a workflow of its own. */
export type JobKind = (typeof JOB_KINDS)[number]
export const JOB_KINDS = ['pathway', 'neuron', 'ingest', 'search', 'discover', 'tool', 'transcribe', 'meeting'] as const
/** A graph between its nodes, an agent between its steps: only these have places at which they can be held. */
export const canPause = (kind: JobKind): boolean => kind === 'pathway' || kind === 'neuron'

/** What every part of a run knows about the job it works for. Small: it travels in each activity's input. */
export interface JobRef {
  job_id: string
  workspace_id: string
  brain_id?: string
  /** Brains that whoever started it may see; left out, all of the workspace. */
  brain_ids?: string[]
  /** The outermost job of a tree of runs; equals `job_id` unless this is a child run. */
  root_job_id: string
  /** The run that started this one; left out for the outermost. */
  parent_job_id?: string
  /** Runs above this one; left out, none. */
  depth?: number
}

/** Where a run is that another one starts. */
export const toParentFields = ({ job_id, depth = 0 }: JobRef): Required<Pick<JobRef, 'parent_job_id' | 'depth'>> => ({
  parent_job_id: job_id,
  depth: depth + 1,
})

export type NodeStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'cancelled' | 'compensated'

/** One thing that happened to a node; `job_nodes` holds the last one per `key`. Times are ISO 8601. */
export interface NodeMilestone {
  /** Address of the visit: `review`, `each[3]/fetch`, `revise[1]/draft`. */
  key: string
  node_id: string
  node_type: string
  title?: string
  status: NodeStatus
  at: string
  attempt?: number
  /** The port that was taken when the node finished. */
  port?: string
  output?: JsonValue
  error?: NodeError
}

export interface NodeError {
  code: string
  message: string
  /** The node that failed first, where the error has come up from inside a `map`, a `loop` or the run. */
  node_key?: string
}

export type InterventionKind = 'approval' | 'form' | 'questions'
export type InterventionAction = 'approve' | 'reject' | 'submit_input' | 'answer_questions' | 'decline_questions'

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

/** A request to people or groups. A human node opens it; a decision, its due time or a cancel closes it. */
export interface Intervention {
  id: string
  node_key: string
  node_id: string
  kind: InterventionKind
  title: string
  description?: string
  form?: JsonSchema
  questions?: Question[]
  /** Whatever the pathway wants the person to see beside the text. */
  context?: JsonValue
  assignees: string[]
  quorum: number
  /** An actor who may not decide, because the run is theirs. */
  excluded?: string
  due_at?: string
  opened_at: string
}

/** What a person sent, as `POST /v1/jobs/:jobId/input` takes it (`type` and `interventionId` aside). */
export interface Answer {
  action: InterventionAction
  comment?: string
  data?: JsonValue
  answers?: Record<string, string>
}

/** An answer with who gave it and when. */
export interface Vote extends Answer {
  by: string
  at: string
}

export type InterventionChange =
  | { change: 'opened'; intervention: Intervention }
  | { change: 'answered'; id: string; vote: Vote; decided: boolean; decision?: Vote }
  | { change: 'reminded'; id: string; at: string }
  | { change: 'escalated'; id: string; at: string; assignees: string[] }
  | { change: 'timed_out'; id: string; at: string }
  | { change: 'cancelled'; id: string; at: string }

/** The reply to an accepted answer; the same answer sent again gets the same reply. */
export interface AnswerReply {
  job_id: string
  interventionId: string
  action: InterventionAction
  by: string
  at: string
  /** False while a quorum is still short of approvals. */
  decided: boolean
  approvals: number
  quorum: number
}

/** `waitingFor` in the job record. */
export interface WaitingFor {
  interventionId: string
  /** The job that asks, when it is a child run of the one being read. */
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
  /** Approvals given so far; the node goes on when they reach the quorum. */
  approvals: number
  due_at?: string
  opened_at: string
}

/** What a cancelled or failed run leaves behind, node by node. */
export interface ReceiptLine {
  node_id: string
  key: string
  outcome: 'stopped' | 'finished_first' | 'compensated' | 'compensation_failed' | 'in_doubt'
  message?: string
}
export type Receipt = ReceiptLine[]

/** An event of a job's stream, as SSE `data`. `token`, `complete` and `error` are the spec's; the rest is additive. */
export type JobEvent =
  | { type: 'token'; token: string; node_id?: string; key?: string }
  | { type: 'attempt_reset'; node_id: string; key: string; attempt: number }
  | { type: 'status'; status: JobStatus; current_step?: string }
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
      node_id?: string
      title?: string
      action?: string
      by?: string
      /** Of an answer: false while the quorum is short of approvals. */
      decided?: boolean
      /** Of an escalation: all who may answer from now on. */
      assignees?: string[]
      at: string
    }
  /** Something a reader should know: of a context that was cut down, `CONTEXT_COMPACTED`. */
  | { type: 'notice'; node_id: string; key: string; code: string; message: string }
  | { type: 'progress'; done: number; total: number }
  /** What was heard in a piece of a meeting, or why nothing could be. Times in seconds, once they are known. */
  | {
      type: 'segment'
      seq: number
      text: string
      speaker?: string
      start?: number
      end?: number
      error?: NodeError
    }
  /** The meeting is over; its transcript is there. */
  | { type: 'ended'; artifact_id?: string }
  | { type: 'gap'; message: string }
  | { type: 'complete'; result: JsonValue }
  | { type: 'error'; message: string; code: string }

export interface Usage {
  input_tokens: number
  output_tokens: number
  usd: number
}

/** The fields a run is projected to in `jobs`; the API's job record is presented from it. */
export interface JobRecord {
  job_id: string
  workspace_id: string
  brain_id: string | null
  root_job_id: string
  /** The run that started this one. */
  parent_job_id: string | null
  /** The node or the call of that run. */
  parent_key: string | null
  kind: JobKind
  pathway_id: string | null
  pathway_version: number | null
  /** The asset whose document is read. */
  asset_id: string | null
  neuron_id: string | null
  neuron_version: number | null
  receptor_id: string | null
  /** The thread it speaks in, and which turn of it this is. */
  trace_id: string | null
  turn: number | null
  title: string
  status: JobStatus
  progress: { done: number; total: number } | null
  current_step: string | null
  requester: string
  input: JsonValue
  result: JsonValue
  failed_reason: string | null
  failed_code: string | null
  cancelled_by: string | null
  receipt: Receipt | null
  usage: Usage
  created_at: string
  processed_at: string | null
  finished_at: string | null
}
