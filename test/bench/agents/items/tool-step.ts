import { takeTurns, timed } from '../../support/turns.ts'
import type { Item } from '../item.ts'
import { cpuBetween, usedBy } from '../../support/processes.ts'

const CALLS = 20
const PLAN = { steps: CALLS + 1, tokens: 1, wait_ms: 0, every_ms: 0 }
const WARM_UP = 3

/** A step is a model call and the tool call that it requests. Both respond immediately. */
export const toolStep: Item = {
  name: 'tool-step',
  async run({ stack, ours, bare, temporal, samples }) {
    const turns = samples(20)
    const before = await usedBy(stack)
    const took = await takeTurns(
      {
        ours: async () => (await ours(PLAN)).ended,
        bare: async () => (await bare(PLAN)).ended,
        temporal: () => timed(() => temporal(CALLS * 2)),
      },
      turns,
      WARM_UP,
    )
    const cpu = cpuBetween(before, await usedBy(stack))
    const aStep = (samples: number[]) => samples.map(ms => ms / CALLS)
    const each = (ms: number) => `${(ms / CALLS / (turns + WARM_UP)).toFixed(1)} ms`
    const row = (name: string, other: number[]) => ({
      name,
      unit: 'ms' as const,
      ours: aStep(took.ours),
      bare: aStep(other),
    })
    return {
      rows: [
        row(`a step of ${CALLS}, beside a loop around the SDK`, took.bare),
        row('the same, beside a workflow of 2 activities a step', took.temporal),
      ],
      notes: [`CPU of a tool step: worker ${each(cpu.worker)}, API ${each(cpu.api)}.`],
    }
  },
}
