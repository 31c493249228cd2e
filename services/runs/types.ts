import type {
  AnswerReply,
  Answer,
  JobEvent,
  JobKind,
  JobOutcome,
  JobStatus,
  FailedAttempt,
  NodeError,
  NodeMilestone,
  Receipt,
  Usage,
  WaitingFor,
} from '../../domain/runs/jobs.ts'
import type { InterventionPageFilter, RootJob } from '../../data/people/interventions-store.ts'
import type { ForkRecord } from '../../data/runs/job-forks-store.ts'
import type { JobPageFilter, JobsFilter, RunDefinition } from '../../data/runs/jobs-store.ts'
import type { Delegation, HistoryChange } from '../../domain/people/handling.ts'
import type { Cause, Diagnosis } from '../../domain/runs/diagnosis/diagnosis.ts'
import type { ForkPlan } from '../../domain/pathways/fork/types.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { EventReply } from '../../workflows/shared/messages.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { BulkReport } from './bulk/types.ts'
import type { Migrations, MigrationView } from './migrations/types.ts'

/** Why an open run makes no progress: its workflow task fails, and Temporal retries it. */
export interface JobProblem {
  /** Temporal's cause, such as NON_DETERMINISTIC_ERROR, or WORKFLOW_TASK_FAILED, or WORKFLOW_TASK_TIMED_OUT. */
  cause: string
  message: string
  /** When the present series of failures began. */
  since: string
}

/** A job in a list. */
export interface JobSummaryView {
  job_id: string
  status: JobStatus
  /** How it has ended. Null while it is open. */
  outcome: JobOutcome | null
  progress: { done: number; total: number } | null
  current_step: string | null
  failedReason?: string
  /** Present when the status is `failed`. */
  error?: NodeError
  /** Who has cancelled the job. */
  cancelled_by?: string
  /** Present when a node could not be compensated. */
  compensation_failed?: boolean
  /** The open interventions of the job and its child runs, oldest first. */
  waitingFor?: WaitingFor[]
  problem?: JobProblem
  /** When somebody last reset the open run in Temporal: what it did after that point may have happened twice. */
  reset_at?: string
  created_at: string
  processed_at: string | null
  finished_at: string | null
  purged_at: string | null
  kind: JobKind
  title: string
  pathway_id: string | null
  /** The present title of the pathway. */
  pathway_title: string | null
  pathway_version: number | null
  asset_id: string | null
  receptor_id: string | null
  neuron_id: string | null
  neuron_version: number | null
  trigger_id: string | null
  trace_id: string | null
  brain_id: string | null
  root_job_id: string
  parent_job_id: string | null
  requester: string
  /** Everyone behind the run. They may not decide in it where a node asks others. */
  people: string[]
  /** Who has cancelled an open job. It stops as soon as its run responds. */
  cancel_requested_by?: string
  /** Includes child runs. */
  usage: Usage
  temporal_url: string
}

/** A job as the API shows it. */
export interface JobView extends JobSummaryView {
  result?: JsonValue
  receipt?: Receipt
}

/** The latest milestone of one activation of a node, with the start and end of the activation. */
export interface NodeView extends Omit<NodeMilestone, 'failed_attempts' | 'covers'> {
  started_at?: string
  finished_at?: string
  /** The latest child run that the node started. */
  child_job_id?: string
  /** The run that had the node, where a fork has taken it over. */
  origin_job_id?: string
  /** Why the last attempt of a running node failed. */
  last_error?: NodeError
  /** When the next attempt begins; absent while one runs. */
  next_attempt_at?: string
  /** Attempts that failed and were followed by another one, the first one first. */
  failed_attempts?: (FailedAttempt & { attempt: number })[]
}

export interface JobDetail extends JobView {
  /** What the run was given. Absent for kinds of jobs that people give none. */
  input?: JsonValue
  nodes: NodeView[]
  /** What a bulk job has done so far. */
  bulk?: BulkReport
  /** The run that this one was forked from. */
  forked_from?: ForkView
  /** The runs that go on from a node of this one, oldest first, at most 100. */
  forks?: ForkView[]
  /** The moves of the run to other versions, oldest first, at most 100. */
  migrations?: MigrationView[]
}

/** The idempotency key of a request, with a hash of route and body that distinguishes a repeat from another request. */
export interface Idempotency {
  key: string
  route: string
  body_hash: string
}

export interface StartRequest {
  /** Id or slug of a stored pathway. Exactly one of `pathway_id` and `pathway` is set. */
  pathway_id?: string
  /** An inline definition, not yet validated. */
  pathway?: unknown
  input?: JsonValue
}

export type JobFilter = Omit<JobPageFilter, 'brain_ids'>
/** What is counted by status and outcome. */
export type JobCountFilter = Omit<JobsFilter, 'brain_ids' | 'statuses' | 'outcomes'>

/** Numbers of jobs. The status of a cancelled job is `failed`. */
export interface JobCounts {
  total: number
  by_status: Record<JobStatus, number>
  by_outcome: Record<JobOutcome, number>
}

/** The pathway that a run follows, as it was pinned. */
export interface RunDefinitionView extends Omit<RunDefinition, 'definition'> {
  definition: PathwayDefinition
}

/** Why a job is where it is. */
export interface DiagnosisView extends Diagnosis {
  job_id: string
  /** The run in the Temporal UI. */
  link: string
}

/** Numbers of jobs by the cause of where they are. */
export interface DiagnosisCounts {
  total: number
  by_cause: Record<Cause, number>
  /** Open jobs beyond those that one count examines in its time. */
  not_examined: number
}

/** How a run is forked. */
export interface ForkRequest {
  /** Key of the node from which the fork goes on: `review`, `each[3]/fetch`. */
  from_node?: string
  /** The input of the fork instead of that of the run. */
  input?: JsonValue
  /** Outputs instead of those of nodes that the fork takes over, by node key. */
  outputs?: Record<string, JsonValue>
  pathway_version?: number
  dry_run?: boolean
  reason?: string
  /** The bulk job that retries the run. It is refused where the run has been retried before. */
  bulk_job_id?: string
}

export interface ForkOutcome {
  job_id: string
  status: 'pending'
  forked_from: { job_id: string; from_node?: string }
}

/** What a fork would do. Lists have at most 1,000 entries. */
export interface ForkPlanView extends Pick<ForkPlan, 'reused' | 'asked_again' | 'runs'> {
  /** The run that would be forked. */
  job_id: string
  dry_run: true
  counts: { reused: number; asked_again: number; runs: number; repeated_effects: number }
  repeated_effects: ForkPlan['repeated']
}

/** A fork, named by the run that it goes on from, or the other way round. */
export type ForkView = Pick<ForkRecord, 'kind' | 'changes' | 'decisions' | 'created_at'> & {
  /** The other run. */
  job_id: string
  from_node?: string
  by: string
  reason?: string
}

export interface NamedEvent {
  event: string
  data?: JsonValue
  idempotency?: Idempotency
}

export interface Resumed extends Partial<EventReply> {
  job_id: string
  status: JobStatus
  waitingFor?: WaitingFor[]
  resumed?: boolean
}

export interface InterventionView extends WaitingFor {
  job_id: string
  root_job_id: string
  /** The run that was started. */
  root_job?: RootJob
  status: 'open' | 'decided' | 'timed_out' | 'cancelled'
  decision?: {
    action: string
    by: string
    at: string
    on_behalf_of?: string
    comment?: string
    data?: JsonValue
    answers?: Record<string, string>
  }
  votes: { action: string; by: string; at: string; on_behalf_of?: string; comment?: string }[]
  /** Why the caller may not answer an open intervention. Absent where it may. */
  refusal?: string
  /** When it was decided, timed out or was cancelled. */
  closed_at?: string
  /** Number of people who may answer. Present when a single open intervention is read. */
  eligible?: number
  /** Who has claimed an open intervention: no other person may answer it. */
  claimed_by?: string
  claimed_at?: string
  /** Grows with every change of who deals with it. */
  revision: number
  /** Who has handed over the right to answer, and to whom. Absent where no one has. */
  delegations?: Delegation[]
  /** Changes, comments and reminders, oldest first. Present when a single intervention is read. */
  history?: ChangeView[]
  /** sha-256 of the canonical JSON of what people are shown. */
  shown_hash: string
}

/** A change of who deals with an intervention, a comment on it or a reminder of it. Without `by` the run did it. */
export interface ChangeView {
  change: HistoryChange
  by?: string
  assignees?: string[]
  comment?: string
  at: string
}

export interface InterventionFilter extends Omit<InterventionPageFilter, 'answerable_by' | 'brain_ids'> {
  /** Only what the caller may answer now. */
  mine?: boolean
}

/** Numbers of open interventions, each counted up to `MAX_COUNTED`. */
export interface InterventionCounts {
  open: number
  /** Those that the caller may answer now. */
  mine: number
  /** Those assigned to a group of the caller. */
  groups: number
}

/** The stream events that Postgres can rebuild for a job. */
export interface JobSnapshot {
  /** Present when the run has ended. */
  terminal?: JobEvent
  finished_at?: string
  /** Nodes with transcripts, open interventions, status. */
  events: JobEvent[]
}

/** The state of jobs for readers of their streams. */
export interface JobSnapshots {
  hasEnded(principal: Principal, jobId: string): Promise<boolean>
  snapshot(principal: Principal, jobId: string): Promise<JobSnapshot>
  /** The terminal events of those of the jobs that have ended, by job id. */
  findEnded(workspaceId: string, jobIds: string[]): Promise<Map<string, JobEvent>>
}

/** Use cases of jobs of all kinds. Methods throw NotFound for ids of other workspaces. */
export interface JobsService extends JobSnapshots {
  /** Starts a run of a pathway. */
  start(
    principal: Principal,
    request: StartRequest,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
  list(
    principal: Principal,
    filter: JobFilter,
  ): Promise<{ jobs: JobSummaryView[]; total: number; limit: number; offset: number }>
  /** The number of jobs in each status and with each outcome. */
  count(principal: Principal, filter: JobCountFilter): Promise<JobCounts>
  status(principal: Principal, jobId: string): Promise<JobView>
  /** The pathway that a run follows. Throws NotFound for jobs without one. */
  definition(principal: Principal, jobId: string): Promise<RunDefinitionView>
  detail(principal: Principal, jobId: string): Promise<JobDetail>
  /** Why a job is where it is. Answers within 2 s, and names what it could not find by then. */
  diagnosis(principal: Principal, jobId: string): Promise<DiagnosisView>
  /** Counts jobs by the cause of where they are. Of open jobs it examines the 200 oldest, for at most 2 s. */
  countCauses(
    principal: Principal,
    filter: JobCountFilter & Pick<JobsFilter, 'statuses' | 'outcomes'>,
  ): Promise<DiagnosisCounts>
  /** Number of open runs of the workspace for which Temporal reports a problem. */
  countStuck(principal: Principal): Promise<number>
  /**
   * Starts a run that takes over what stands before a node and goes on from there; a dry run lists what it would do.
   * Throws ValidationError with pointers, Conflict where the run does not permit it, and Forbidden.
   */
  fork(
    principal: Principal,
    jobId: string,
    request: ForkRequest & { from_node: string },
    idempotency?: Idempotency,
  ): Promise<ForkOutcome | ForkPlanView>
  /** Forks a failed run with all that was not completed, and what was compensated. */
  retry(
    principal: Principal,
    jobId: string,
    request: Omit<ForkRequest, 'from_node'>,
    idempotency?: Idempotency,
  ): Promise<ForkOutcome | ForkPlanView>
  /** Forks a run at the node of a closed intervention. Throws Forbidden for those who may not decide. */
  reopen(
    principal: Principal,
    interventionId: string,
    request: { reason: string; dry_run?: boolean },
    idempotency?: Idempotency,
  ): Promise<ForkOutcome | ForkPlanView>
  /** Moves open runs to another version of their pathway. */
  migrations: Migrations
  cancel(principal: Principal, jobId: string): Promise<{ job_id: string; status: JobStatus; receipt: Receipt }>
  /** `pause` and `resume` throw ValidationError for a kind of job that cannot be paused. */
  pause(principal: Principal, jobId: string): Promise<{ job_id: string; status: JobStatus }>
  /**
   * Delivers the event, and tells which `wait` nodes it ended; without one, resumes a paused run, or ends the `wait`
   * nodes in which a run and its child runs are.
   * Throws Conflict for a run that waits for people only.
   */
  resume(principal: Principal, jobId: string, event?: NamedEvent): Promise<Resumed>
  answer(
    principal: Principal,
    jobId: string,
    interventionId: string,
    answer: Answer,
    idempotency?: Idempotency,
  ): Promise<AnswerReply>
  interventions(principal: Principal, filter: InterventionFilter): Promise<{ data: InterventionView[]; total: number }>
  intervention(principal: Principal, id: string): Promise<InterventionView>
  countInterventions(principal: Principal): Promise<InterventionCounts>
}
