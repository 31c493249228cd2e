import type { Handling, HandlingChange } from './handling.ts'
import type { JsonSchema, JsonValue } from '../shared/json/json.ts'
import type { DecisionCovers } from '../runs/nodes.ts'

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

/** Tasks are counted only up to this number. */
export const MAX_COUNTED = 1_000

export const INTERVENTION_STATUSES = ['open', 'decided', 'timed_out', 'cancelled'] as const

/** `opened` and `closed`: latest first. `due`: earliest due time first, then tasks without a due time. */
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

/** A task for people or groups. A run opens it. A decision, its due time or a cancellation closes it. */
export interface Intervention {
  id: string
  node_key: string
  node_id: string
  kind: InterventionKind
  title: string
  description?: string
  form?: JsonSchema
  questions?: Question[]
  /** Data shown to the person next to the text. */
  context?: JsonValue
  assignees: string[]
  quorum: number
  /** People who may not decide because they are behind the run. Absent if everyone may decide. */
  excluded?: string[]
  due_at?: string
  opened_at: string
}

/** A task as shown to the visitor who is asked, without nodes, people and groups. */
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

/** Credential and request with which an answer was sent, for the audit log. */
export interface AnswerSource {
  key_id: string
  request_id?: string
}

/** An accepted answer, with its author and time. */
export interface Vote extends Answer {
  by: string
  /** The person behind the author. Default: the author itself. */
  person?: string
  /** The absent assignee for whom the author answered as a substitute. */
  on_behalf_of?: string
  /** The assignee entry under which the author answered: a person or a group. Absent if everyone may answer. */
  answered_as?: string
  via?: AnswerSource
  at: string
  /** Scope of the decision. Absent in votes that don't decide, and in agent runs. */
  covers?: DecisionCovers
}

/** A change to the handling of a task, with everyone who may answer afterwards. An escalation has no author. */
export interface HandlingEvent {
  change: HandlingChange
  id: string
  node_key?: string
  at: string
  assignees: string[]
  /** Absent in escalations of earlier versions, which only add assignees. */
  handling?: Handling
  /** People who may no longer decide, if the change concerns them. */
  excluded?: string[]
  by?: string
  /** The person behind the author. Default: the author itself. */
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

/** The reply to an accepted answer. Sending the same answer again returns the same reply. */
export interface AnswerReply {
  job_id: string
  interventionId: string
  action: InterventionAction
  by: string
  at: string
  /** False while the quorum still needs approvals. */
  decided: boolean
  approvals: number
  quorum: number
  /** True while it is unknown whether the answer counts. */
  pending?: boolean
}

/** An answer that no worker has processed yet and that may still count. */
export interface PendingAnswer {
  action: string
  by: string
  at: string
}

/** The value of a job's `waitingFor` field. */
export interface WaitingFor {
  interventionId: string
  /** Id of the child run with the task. Absent for the job itself. */
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
  /** Approvals so far. The node continues when the quorum is reached. */
  approvals: number
  due_at?: string
  opened_at: string
  /** Answers that no worker has processed yet and that may still count. */
  pending_answers?: PendingAnswer[]
}
