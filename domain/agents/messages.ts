import type { Label } from '../pathways/labels/labels.ts'
import type { JsonObject, JsonValue } from '../shared/json/json.ts'
import type { ModelDecision } from './loop.ts'

/** A tool call as the model requested it. */
export interface ToolRequest {
  id: string
  name: string
  args: JsonObject
}

/** `labels` are the sources of untrusted content that a message has or follows from. */
interface LabelFields {
  labels?: Label[]
}

export interface UserContent extends LabelFields {
  text: string
  /** Set on messages of the loop to the model: the reason why an answer was refused. */
  note?: 'repair'
}

export interface AssistantContent extends LabelFields {
  text: string
  calls?: ToolRequest[]
  data?: JsonValue
  /** Decision of the run, so that a repeated step does not call the model. Absent if the caller supplied the text. */
  decision?: ModelDecision
  /** The answer in the format of the provider, if that contains more (signatures of its reasoning). */
  raw?: JsonValue
}

export interface ToolContent extends LabelFields {
  call_id: string
  name: string
  output: JsonValue
  is_error?: boolean
}

/** A message of a thread. */
export type TraceMessage = { turn: number; position: number; job_id: string; at: string } & (
  | { role: 'user'; content: UserContent }
  | { role: 'assistant'; content: AssistantContent }
  | { role: 'tool'; content: ToolContent }
)

/** Number of positions of one step within its turn: the answer of the model, the reply to each call, then a note. */
const PER_STEP = 1_000

/** A turn may begin with several user messages. */
export const userPosition = (index: number): number => index
export const MAX_USER_MESSAGES = 500
export const answerPosition = (step: number): number => step * PER_STEP
export const replyPosition = (step: number, call: number): number => step * PER_STEP + 1 + call
export const notePosition = (step: number): number => step * PER_STEP + PER_STEP - 1
