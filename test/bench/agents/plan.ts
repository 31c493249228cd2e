/** What the scripted provider is to do. It travels as the words of the user, so that every caller can ask for it. */
export interface Plan {
  /** Calls of the model in all; each but the last asks for one call of the tool. */
  steps: number
  /** Said in each step. */
  tokens: number
  /** Before the first token of each step. */
  wait_ms: number
  /** Between tokens; 0 sends as fast as it goes. */
  every_ms: number
}

export const TOOL = 'current_time'

export const planned = (plan: Plan): string => JSON.stringify(plan)

export const planIn = (words: string): Plan => JSON.parse(words) as Plan
