import type { Label } from '../pathways/labels/labels.ts'
import type { FileRef } from '../documents/files.ts'
import type { JsonObject, JsonValue } from '../shared/json/json.ts'
import type { ModelDecision } from './loop.ts'

/** A tool call as requested by the model. */
export interface ToolRequest {
  id: string
  name: string
  args: JsonObject
}

/** `labels`: sources of the untrusted content that a message contains or is derived from. */
interface LabelFields {
  labels?: Label[]
}

export interface UserContent extends LabelFields {
  text: string
  files?: FileRef[]
  /** Set on messages from the loop to the model that explain why an answer was rejected. */
  note?: 'repair'
}

export interface AssistantContent extends LabelFields {
  text: string
  calls?: ToolRequest[]
  data?: JsonValue
  /**
   * The run's decision. A retried step uses it instead of calling the model again. Absent if the caller supplied the
   * text.
   */
  decision?: ModelDecision
  /** The answer in the provider's format, if it contains more than the fields above, such as reasoning signatures. */
  raw?: JsonValue
}

export interface ToolContent extends LabelFields {
  call_id: string
  name: string
  output: JsonValue
  is_error?: boolean
}

/** A thread message. */
export type TraceMessage = { turn: number; position: number; job_id: string; at: string } & (
  | { role: 'user'; content: UserContent }
  | { role: 'assistant'; content: AssistantContent }
  | { role: 'tool'; content: ToolContent }
)

/** Number of positions per step within a turn: the model's answer, the reply to each call, then a note. */
const PER_STEP = 1_000

/** A turn can start with several user messages. */
export const userPosition = (index: number): number => index
export const MAX_USER_MESSAGES = 500
export const answerPosition = (step: number): number => step * PER_STEP
export const replyPosition = (step: number, call: number): number => step * PER_STEP + 1 + call
export const notePosition = (step: number): number => step * PER_STEP + PER_STEP - 1
