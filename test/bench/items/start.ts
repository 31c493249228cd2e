import { setTimeout as sleep } from 'node:timers/promises'
import type { Item } from '../support/item.ts'
import { transforms } from '../support/pathways.ts'
import { takeTurns, timed } from '../support/turns.ts'

/** Lets the started run end before the next sample. */
const SETTLE_MS = 40

/** The time until `POST /v1/pathways/:id/execute` is accepted, compared with `client.workflow.start`. */
export const start: Item = {
  name: 'start',
  async run({ ours, bare, samples }) {
    const pathwayId = await ours.store('start', transforms(1))
    const settled = async (took: number) => sleep(SETTLE_MS, took)
    const once = {
      ours: async () => settled(await timed(() => ours.start(pathwayId))),
      bare: async () => settled(await timed(() => bare.start(1))),
    }
    const taken = await takeTurns(once, samples(120))
    return [{ name: 'start a run', unit: 'ms', samples: taken, aim: { of: 'ratio', atMost: 1.3 } }]
  },
}
