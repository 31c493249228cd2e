import type {
  AnswerReply,
  Answer,
  JobEvent,
  JobKind,
  JobStatus,
  NodeMilestone,
  Receipt,
  Usage,
  WaitingFor,
} from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'

/** Why an open run does not go on: its workflow task fails, and Temporal tries it again. */
export interface JobProblem {
  /** Temporal's cause, such as NON_DETERMINISTIC_ERROR, or WORKFLOW_TASK_FAILED, or WORKFLOW_TASK_TIMED_OUT. */
  cause: string
  message: string
  /** When the present series of failures began. */
  since: string
}

/** The job record of the API: the spec's fields, then ours. */
export interface JobView {
  job_id: string
  status: JobStatus
  progress: { done: number; total: number } | null
  current_step: string | null
  failedReason?: string
  result?: JsonValue
  /** One entry as an object, several as an array. */
  waitingFor?: WaitingFor | WaitingFor[]
  problem?: JobProblem
  created_at: string
  processed_at: string | null
  finished_at: string | null
  kind: JobKind
  title: string
  pathway_id: string | null
  pathway_version: number | null
  asset_id: string | null
  receptor_id: string | null
  neuron_id: string | null
  trace_id: string | null
  brain_id: string | null
  root_job_id: string
  parent_job_id: string | null
  requester: string
  /** With that of the runs inside it. */
  usage: Usage
  receipt?: Receipt
  temporal_url: string
}

/** The last that happened to one visit of a node, with when the visit began and ended. */
export interface NodeView extends NodeMilestone {
  started_at?: string
  finished_at?: string
}

export interface JobDetail extends JobView {
  nodes: NodeView[]
}

/** A retry-safe request: the caller's key, and a hash of route and body to tell a repeat from a clash. */
export interface Idempotency {
  key: string
  route: string
  body_hash: string
}

export interface StartRequest {
  /** Id or slug of a stored pathway; exactly one of the two is set. */
  pathway_id?: string
  /** An inline definition, not yet validated. */
  pathway?: unknown
  input?: JsonValue
}

export interface JobFilter {
  kind?: JobKind
  pathway_id?: string
  receptor_id?: string
  neuron_id?: string
  trace_id?: string
  status?: JobStatus
  limit: number
  offset: number
}

export interface InterventionView extends WaitingFor {
  job_id: string
  root_job_id: string
  status: 'open' | 'decided' | 'timed_out' | 'cancelled'
  decision?: {
    action: string
    by: string
    at: string
    comment?: string
    data?: JsonValue
    answers?: Record<string, string>
  }
  votes: { action: string; by: string; at: string; comment?: string }[]
  /** People who may answer now. Present when one open intervention is read. */
  eligible?: number
  /** sha-256 over the canonical JSON of what the person was shown. */
  shown_hash: string
}

export interface InterventionFilter {
  status?: InterventionView['status']
  assignee?: string
  job_id?: string
  limit: number
  offset: number
}

/** Use cases of jobs of all kinds. Every call throws NotFound for ids of other workspaces. */
export interface JobsService {
  /** Runs a pathway. */
  start(
    principal: Principal,
    request: StartRequest,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
  list(
    principal: Principal,
    filter: JobFilter,
  ): Promise<{ jobs: JobView[]; total: number; limit: number; offset: number }>
  status(principal: Principal, jobId: string): Promise<JobView>
  detail(principal: Principal, jobId: string): Promise<JobDetail>
  /** How many open runs of the caller's workspace have a problem that Temporal has reported. */
  countStuck(principal: Principal): Promise<number>
  /** What `status` would say, without the rest of the record. */
  hasEnded(principal: Principal, jobId: string): Promise<boolean>
  cancel(principal: Principal, jobId: string): Promise<{ job_id: string; status: JobStatus; receipt: Receipt }>
  /** Throws ValidationError for a kind of job that cannot be held; so does `resume`. */
  pause(principal: Principal, jobId: string): Promise<{ job_id: string; status: JobStatus }>
  resume(
    principal: Principal,
    jobId: string,
    event?: { event: string; data?: JsonValue },
  ): Promise<{ job_id: string; status: JobStatus; waitingFor?: JobView['waitingFor'] }>
  answer(
    principal: Principal,
    jobId: string,
    interventionId: string,
    answer: Answer,
    idempotency?: Idempotency,
  ): Promise<AnswerReply>
  interventions(principal: Principal, filter: InterventionFilter): Promise<{ data: InterventionView[]; total: number }>
  intervention(principal: Principal, id: string): Promise<InterventionView>
  /**
   * What Postgres knows of a job's stream: the terminal event once the run has ended, and the events that tell the
   * story so far (nodes, open interventions, transcripts), for readers whose Redis stream is gone or trimmed.
   */
  story(principal: Principal, jobId: string): Promise<{ terminal?: JobEvent; finished_at?: string; events: JobEvent[] }>
  /** Which of these jobs have ended, with their terminal events: one query for all idle streams of a process. */
  endedAmong(workspaceId: string, jobIds: string[]): Promise<Map<string, JobEvent>>
}
