import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { StepInput, StepResult } from '../types.ts'

/** A step's result, which is part of the history, and the data that is stored outside the history. */
export interface StepOutcome extends StepResult {
  /** The streamed text, which is displayed after the stream has expired. */
  transcript?: string
  /** The model that was called, for usage. */
  model?: string
}

/** Writes the node's input to its record. The record keeps the input even if the call fails. */
export type ShowInput = (input: JsonValue) => void

/** The work for one node. Throws StepError or the cancellation reason. */
export type Step = (input: StepInput, showInput?: ShowInput) => Promise<StepOutcome>
