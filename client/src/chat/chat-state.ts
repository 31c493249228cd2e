import type { APIError, GanglionError } from '../errors.ts'
import type { Body, Schema } from '../types.ts'

/** A task that a run assigns to the visitor: a form, questions or an approval. */
export type ChatTask = Schema<'SharedTask'>

/** The visitor's answer to a task. */
export type ChatAnswer = Omit<Body<'public.answer'>['input'], 'type' | 'interventionId'>

/**
 * - `unavailable`: the receptor is inactive, or the token is not accepted, used up, or not for the page or the receptor.
 * - `offline`: the service can't be reached.
 * - `busy`: too many requests, or a component of the service is unavailable.
 * - `rejected`: the service doesn't accept the message or the answer.
 */
export type ProblemKind = 'unavailable' | 'offline' | 'busy' | 'rejected'

export interface ChatProblem {
  kind: ProblemKind
  /** Details for developers. */
  error: GanglionError | APIError
}

export interface ChatMessage {
  /** Unique within the conversation. */
  id: string
  role: 'user' | 'assistant'
  text: string
  /** Names of the files that are attached to the message. */
  files?: readonly string[]
  /**
   * - `sending`: the service has not accepted the message yet.
   * - `unsent`: sending failed. Retry or discard the message.
   * - `writing`: more text follows.
   * - `failed`: the run ended without an answer.
   * - `done`: the message is complete.
   */
  status: 'sending' | 'unsent' | 'writing' | 'failed' | 'done'
  /** Run that answers the message. */
  jobId?: string
}

export interface ChatState {
  /** True until the stored conversation is read. */
  isLoading: boolean
  messages: readonly ChatMessage[]
  /** All tasks of the visitor, oldest first. */
  tasks: readonly ChatTask[]
  /**
   * - `working`: a run is working on an answer.
   * - `waiting`: a run waits for the visitor's answer to a task, for the team, a time or an event.
   */
  activity: 'idle' | 'working' | 'waiting'
  /** False while loading, while a message is being sent or unsent, while files are uploaded, and while a task is open. */
  canSend: boolean
  /** Why the conversation can't be read. `start` tries again. */
  problem?: ChatProblem
  /** Why the latest message was not sent. */
  sendProblem?: ChatProblem
}
