import type { StepInput, StepResult } from './types.ts'

/** What a step leaves: its result, which goes into history, and what is kept outside of it. */
export interface StepOutcome extends StepResult {
  /** The text it streamed, so that it can be shown when the stream is gone. */
  transcript?: string
  /** The model that was asked, for the ledger. */
  model?: string
}

/** The work of one node, without what all nodes have in common. Throws StepError, or the cancellation's reason. */
export type Step = (input: StepInput) => Promise<StepOutcome>
