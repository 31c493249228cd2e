/** Instructions for the scripted provider, sent as the user message so that every caller can pass them. */
export interface Plan {
  /** Total model calls. Each call except the last requests one tool call. */
  steps: number
  /** Tokens per step. */
  tokens: number
  /** The wait before the first token of each step. */
  wait_ms: number
  /** The interval between tokens. 0 sends them as fast as possible. */
  every_ms: number
}

export const TOOL = 'current_time'

export const planned = (plan: Plan): string => JSON.stringify(plan)

export const planIn = (words: string): Plan => JSON.parse(words) as Plan
