import type { JsonObject, JsonValue } from '../json.ts'
import type { ModelDecision } from './loop.ts'

/** One call of a tool as the model asked for it. */
export interface ToolRequest {
  id: string
  name: string
  args: JsonObject
}

export interface UserContent {
  text: string
  /** Set on what the loop itself says to the model: why an answer was not taken. */
  note?: 'repair'
}

export interface AssistantContent {
  text: string
  calls?: ToolRequest[]
  data?: JsonValue
  /** What the run made of it, so that a repeated step need not ask again; none where the caller brought the text. */
  decision?: ModelDecision
  /** The answer in the provider's own form, where that says more (signatures of its reasoning). */
  raw?: JsonValue
}

export interface ToolContent {
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

/** Places of one step's messages within its turn: what the model said, then what each call gave, then a note. */
const PER_STEP = 1_000

/** Several user messages may begin a turn. */
export const userPosition = (index: number): number => index
export const MAX_USER_MESSAGES = 500
export const answerPosition = (step: number): number => step * PER_STEP
export const replyPosition = (step: number, call: number): number => step * PER_STEP + 1 + call
export const notePosition = (step: number): number => step * PER_STEP + PER_STEP - 1
