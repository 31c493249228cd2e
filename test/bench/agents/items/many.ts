import { takeTurns, timed } from '../../turns.ts'
import type { Heard } from '../heard.ts'
import type { Item } from '../item.ts'
import type { Plan } from '../plan.ts'
import { cpuBetween, type Used, usedBy } from '../../processes.ts'

const RUNS = 200
const PLAN: Plan = { steps: 3, tokens: 20, wait_ms: 0, every_ms: 5 }
const TOKENS = RUNS * PLAN.steps * PLAN.tokens

interface Round {
  wall: number
  heard: Heard[]
}

/** Agents at once, each read by a client of its own. */
export const many: Item = {
  name: 'many',
  async run({ stack, ours, bare, sentAgain, samples }) {
    const before = await usedBy(stack)
    const rounds = await takeTurns({ ours: () => round(ours), bare: () => round(bare) }, samples(4), 1)
    const after = await usedBy(stack)
    const cpu = Object.entries(cpuBetween(before, after))
    const each = (ms: number) => `${(ms / RUNS / (rounds.ours.length + 1)).toFixed(1)} ms`
    const total = cpu.reduce((sum, [, ms]) => sum + ms, 0)
    const row = (name: string, part: (one: Round) => number[]) => ({
      name,
      unit: 'ms' as const,
      ours: rounds.ours.flatMap(part),
      bare: rounds.bare.flatMap(part),
    })
    return {
      rows: [
        row(`${RUNS} agents at once, until all are done`, ({ wall }) => [wall]),
        row('first token, among them', ({ heard }) => heard.map(({ first }) => first)),
        row('of it, until the provider is asked', ({ heard }) => heard.map(({ requested }) => requested)),
        row('a token on its way, among them', ({ heard }) => heard.flatMap(({ ages }) => ages)),
      ],
      notes: [
        `All ${RUNS * (rounds.ours.length + 1)} runs completed and no token was lost; ${sentAgain()} requests were answered with 503 and sent again.`,
        `CPU of a run among ${RUNS}: ${cpu.map(([name, ms]) => `${name} ${each(ms)}`).join(', ')}, together ${each(total)}.`,
        `Memory, before and at its peak: worker ${grown(before.worker, after.worker)}, API ${grown(before.api, after.api)}.`,
      ],
    }
  },
}

const grown = (before: Used, after: Used) => `${before.peak_mb.toFixed(0)} → ${after.peak_mb.toFixed(0)} MB`

async function round(run: (plan: Plan) => Promise<Heard>): Promise<Round> {
  let heard: Heard[] = []
  const wall = await timed(async () => {
    heard = await Promise.all(Array.from({ length: RUNS }, () => run(PLAN)))
  })
  const tokens = heard.reduce((sum, one) => sum + one.tokens, 0)
  if (tokens !== TOKENS) throw new Error(`${tokens} of ${TOKENS} tokens came through`)
  return { wall, heard }
}
