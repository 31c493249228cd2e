import { cpuBetween, type Used, usedBy } from '../../support/processes.ts'
import { takeTurns } from '../../support/turns.ts'
import type { Item } from '../item.ts'
import { compareRounds, RUNS, runRound } from '../round.ts'

/** Concurrent agents, compared with the same number of SDK loops. */
export const many: Item = {
  name: 'many',
  async run({ stack, ours, bare, sentAgain, samples }) {
    const before = await usedBy(stack)
    const rounds = await takeTurns({ ours: () => runRound(ours), bare: () => runRound(bare) }, samples(4), 1)
    const after = await usedBy(stack)
    const cpu = Object.entries(cpuBetween(before, after))
    const each = (ms: number) => `${(ms / RUNS / (rounds.ours.length + 1)).toFixed(1)} ms`
    const total = cpu.reduce((sum, [, ms]) => sum + ms, 0)
    return {
      rows: compareRounds(rounds),
      notes: [
        `All ${RUNS * (rounds.ours.length + 1)} runs completed and no token was lost; ${sentAgain()} requests were answered with 503 and sent again.`,
        `CPU of a run among ${RUNS}: ${cpu.map(([name, ms]) => `${name} ${each(ms)}`).join(', ')}, together ${each(total)}.`,
        `Memory, before and at its peak: worker ${grown(before.worker, after.worker)}, API ${grown(before.api, after.api)}.`,
      ],
    }
  },
}

const grown = (before: Used, after: Used) => `${before.peak_mb.toFixed(0)} → ${after.peak_mb.toFixed(0)} MB`
