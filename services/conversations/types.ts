import type { JsonValue } from '../../domain/json.ts'
import type { Usage } from '../../domain/jobs.ts'
import type { TraceMessage } from '../../domain/neurons/messages.ts'
import type { Principal } from '../../domain/principal.ts'
import type { TraceTarget, TraceType } from '../../data/traces-store.ts'
import type { Idempotency } from '../jobs/types.ts'

/** Settings of one run that are no part of what is run. */
export interface TaskOptions {
  /** `system` keeps the thread off the caller's default list. */
  trace_type?: TraceType
  /** Instead of the neuron's own. */
  budget_usd?: number
  max_steps?: number
}

export interface SaidMessage {
  role: 'user' | 'assistant'
  content: string
}

/** What somebody says, and where. */
export interface Speech {
  messages: SaidMessage[]
  /** The thread to speak in; left out, a new one. */
  trace_id?: string
  receptor_id?: string
  options?: TaskOptions
}

export interface Accepted {
  job_id: string
  trace_id: string
  status: 'pending'
}

/** The answer of a run that has ended. */
export interface Answer {
  output: string
  data?: JsonValue
  finish_reason: 'stop' | 'length' | 'max_steps'
  trace_id: string
  usage: Usage
  job_id: string
}

/** What is to answer: a neuron or a pathway, by id or slug, with `@version` where one is meant. */
export interface Answering {
  type: 'neuron' | 'pathway'
  ref: string
}

export interface Conversations {
  /**
   * Accepts what was said: the message, the thread's turn and the job are written in one transaction. Messages of one
   * thread are answered in their order. Throws NotFound for a target or thread that is not there, Conflict for one that
   * is switched off, ValidationError for what the target does not take.
   */
  speak(principal: Principal, target: Answering, speech: Speech, idempotency?: Idempotency): Promise<Accepted>
  /** The answer, once there is one; undefined when it takes too long or waits for a person. Throws RunFailed. */
  answer(principal: Principal, accepted: Accepted, signal?: AbortSignal): Promise<Answer | undefined>
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
  /** Calls of tools that the answer asks for. */
  calls?: { id: string; name: string; args: JsonValue }[]
  data?: JsonValue
  /** Of what a call gave. */
  call_id?: string
  name?: string
  output?: JsonValue
  is_error?: boolean
}

export interface TracesFilter {
  trace_type?: TraceType
  /** Whose; the caller's own when left out, `all` for everybody's. */
  actor?: string
  limit: number
  offset: number
}

/** Threads and what was said in them. Ids of other workspaces, and of brains out of reach, give NotFound. */
export interface TracesService {
  list(principal: Principal, filter: TracesFilter): Promise<{ data: TraceView[]; total: number }>
  /** With its messages, oldest first. */
  read(
    principal: Principal,
    id: string,
    page: { limit: number; offset: number },
  ): Promise<{ trace: TraceView; messages: MessageView[]; total: number }>
  remove(principal: Principal, id: string): Promise<void>
}
