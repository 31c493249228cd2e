import { takeTurns, timed } from '../../turns.ts'
import type { Heard } from '../heard.ts'
import type { Item } from '../item.ts'
import type { Plan } from '../plan.ts'
import { cpuBetween, usedBy } from '../processes.ts'

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
  async run({ stack, ours, bare, samples }) {
    const before = await usedBy(stack)
    const rounds = await takeTurns({ ours: () => round(ours), bare: () => round(bare) }, samples(4), 1)
    const after = await usedBy(stack)
    const cpu = cpuBetween(before, after)
    const each = (ms: number) => `${(ms / RUNS / (rounds.ours.length + 1)).toFixed(0)} ms`
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
        `${RUNS} agents at once: all ${rounds.ours.length * RUNS} runs completed, no token lost. CPU of a run: worker ${each(cpu.worker)}, API ${each(cpu.api)}. Memory at its peak: worker ${after.worker.peak_mb.toFixed(0)} MB (${before.worker.peak_mb.toFixed(0)} before), API ${after.api.peak_mb.toFixed(0)} MB (${before.api.peak_mb.toFixed(0)} before).`,
      ],
    }
  },
}

async function round(run: (plan: Plan) => Promise<Heard>): Promise<Round> {
  let heard: Heard[] = []
  const wall = await timed(async () => {
    heard = await Promise.all(Array.from({ length: RUNS }, () => run(PLAN)))
  })
  const tokens = heard.reduce((sum, one) => sum + one.tokens, 0)
  if (tokens !== TOKENS) throw new Error(`${tokens} of ${TOKENS} tokens came through`)
  return { wall, heard }
}
