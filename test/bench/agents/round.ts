import { timed } from '../support/turns.ts'
import type { Heard } from './heard.ts'
import { type Row, toRow } from './item.ts'
import type { Plan } from './plan.ts'

/** The number of agents in a round. A separate client reads each of them. */
export const RUNS = 200
const PLAN: Plan = { steps: 3, tokens: 20, wait_ms: 0, every_ms: 5 }
const TOKENS = RUNS * PLAN.steps * PLAN.tokens

export interface Round {
  /** Milliseconds until all agents are done. */
  wall: number
  heard: Heard[]
}

/** Starts all agents concurrently. Throws unless every token arrived. */
export async function runRound(run: (plan: Plan) => Promise<Heard>): Promise<Round> {
  let heard: Heard[] = []
  const wall = await timed(async () => {
    heard = await Promise.all(Array.from({ length: RUNS }, () => run(PLAN)))
  })
  const tokens = heard.reduce((sum, one) => sum + one.tokens, 0)
  if (tokens !== TOKENS) throw new Error(`${tokens} of ${TOKENS} tokens came through`)
  return { wall, heard }
}

/**
 * Runs the same number of hand-written workflows with an activity for each model call, and returns the milliseconds.
 */
export const runByHand = (temporal: (activities: number) => Promise<void>): Promise<number> =>
  timed(() => Promise.all(Array.from({ length: RUNS }, () => temporal(PLAN.steps))))

/** Builds the table rows that compare Ganglion's rounds with other rounds. */
export function compareRounds(rounds: Record<'ours' | 'bare', Round[]>): Row[] {
  return [
    toRow(`${RUNS} agents at once, until all are done`, rounds, ({ wall }) => [wall]),
    toRow('first token, among them', rounds, ({ heard }) => heard.map(({ first }) => first)),
    toRow('of it, until the provider is asked', rounds, ({ heard }) => heard.map(({ requested }) => requested)),
    toRow('a token on its way, among them', rounds, ({ heard }) => heard.flatMap(({ ages }) => ages)),
  ]
}
