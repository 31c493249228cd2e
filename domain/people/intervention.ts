import { type Handling, type HandlingChange } from './handling.ts'
import { type JsonSchema, type JsonValue } from '../shared/json/json.ts'
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
