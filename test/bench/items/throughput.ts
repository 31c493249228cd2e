import { forEach } from '../support/for-each.ts'
import type { Item } from '../support/item.ts'
import { calls } from '../support/pathways.ts'
import { takeTurns, timed } from '../support/turns.ts'

const RUNS = 200
const IN_FLIGHT = 50
const STEPS = 10

/** Runs per second, from the first request to the end of the last run. */
export const throughput: Item = {
  name: 'throughput',
  async run({ ours, bare, endpoint, samples }) {
    const pathwayId = await ours.store('throughput', calls(endpoint.url, STEPS))
    const runs = samples(RUNS)
    const perSecond = async (run: () => Promise<void>) => {
      const all = Array.from({ length: runs })
      return runs / ((await timed(() => forEach(all, IN_FLIGHT, run))) / 1_000)
    }
    const once = {
      ours: () => perSecond(async () => ours.completed(await ours.start(pathwayId))),
      bare: () => perSecond(() => bare.calls(endpoint.url, STEPS)),
    }
    const taken = await takeTurns(once, 2, 0)
    return [{ name: `${runs} runs of ${STEPS} http calls, ${IN_FLIGHT} in flight`, unit: 'runs/s', samples: taken }]
  },
}
