import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { JobStatus, Usage, WaitingFor } from '../../../domain/runs/jobs.ts'
import type { TraceMessage } from '../../../domain/agents/messages.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { TraceTarget, TraceType } from '../../../data/agents/traces-store.ts'
import type { Idempotency } from '../../shared/idempotency.ts'

/** Settings of a single run. */
export interface TaskOptions {
  /** `system` keeps the thread off the caller's default list. */
  trace_type?: TraceType
  /** `budget_usd` and `max_steps` replace those of the neuron. */
  budget_usd?: number
  max_steps?: number
}

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

/** Messages to a thread. */
export interface MessageInput {
  messages: ChatMessage[]
  /** Default: a new thread. */
  trace_id?: string
  /** Whether `trace_id` may be the id of a new thread. */
  may_open?: boolean
  receptor_id?: string
  options?: TaskOptions
}

export interface AcceptedMessage {
  job_id: string
  trace_id: string
  status: 'pending'
}

/** A run without an answer yet. */
export interface OpenRun {
  job_id: string
  trace_id: string
  status: JobStatus
  waitingFor?: WaitingFor[]
}

/** The answer of a completed run. */
export interface Answer {
  output: string
  data?: JsonValue
  finish_reason: 'stop' | 'length' | 'max_steps'
  trace_id: string
  usage: Usage
  job_id: string
}

/** A neuron or a pathway, by id or slug, with an optional `@version`. */
export interface ConversationTarget {
  type: 'neuron' | 'pathway'
  ref: string
}

export interface Conversations {
  /**
   * Writes the messages, the turn of the thread and the job in one transaction. Messages of a thread are answered in
   * order. Throws NotFound for an unknown target or thread, Conflict for an inactive target, and ValidationError for
   * messages that the target does not accept.
   */
  sendMessage(
    principal: Principal,
    target: ConversationTarget,
    input: MessageInput,
    idempotency?: Idempotency,
  ): Promise<AcceptedMessage>
  /** Resolves with the answer, or with the state of a run that takes too long or waits for a person. Throws RunFailed. */
  answer(principal: Principal, accepted: AcceptedMessage, signal?: AbortSignal): Promise<Answer | OpenRun>
}

/** A thread as the API shows it. */
export interface TraceView {
  id: string
  trace_type: TraceType
  title: string
  actor: string
  brain_id: string | null
  target: TraceTarget | null
  turns: number
  created_at: string
  updated_at: string
}

export interface MessageView {
  turn: number
  role: TraceMessage['role']
  job_id: string
  at: string
  text?: string
  /** Tool calls that the model requests. */
  calls?: { id: string; name: string; args: JsonValue }[]
  data?: JsonValue
  /** Present for results of tool calls. */
  call_id?: string
  name?: string
  output?: JsonValue
  is_error?: boolean
}

export interface TracesFilter {
  trace_type?: TraceType
  /** Owner of the threads; `all` for every owner. Default: the caller. */
  actor?: string
  limit: number
  offset: number
}

/** Threads. Methods throw NotFound for ids of other workspaces, and of brains that are not visible to the caller. */
export interface TracesService {
  list(principal: Principal, filter: TracesFilter): Promise<{ data: TraceView[]; total: number }>
  /** Messages are in order, oldest first. `only_said` leaves out calls of tools and their results. */
  read(
    principal: Principal,
    id: string,
    page: { limit: number; offset: number; only_said?: boolean },
  ): Promise<{ trace: TraceView; messages: MessageView[]; total: number }>
}
