import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { StepInput, StepResult } from '../types.ts'

/** A step's result, which is part of the history, and data that is stored outside of it. */
export interface StepOutcome extends StepResult {
  /** The streamed text; it is shown when the stream has expired. */
  transcript?: string
  /** The model that was called, for usage. */
  model?: string
}

/** Writes what the node was called with to its record, also if the call fails. */
export type ShowInput = (input: JsonValue) => void

/** The work of one node. Throws StepError or the cancellation's reason. */
export type Step = (input: StepInput, showInput?: ShowInput) => Promise<StepOutcome>
