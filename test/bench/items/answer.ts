import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Item } from '../support/item.ts'
import { approval } from '../support/pathways.ts'
import { takeTurns } from '../support/turns.ts'

/** A pause before the answer, long enough for all work caused by the intervention to finish. */
const SETTLE_MS = 60

/** The time from a person's answer until the next node's call arrives at the endpoint. */
export const answer: Item = {
  name: 'answer',
  async run({ ours, bare, endpoint, samples }) {
    const pathwayId = await ours.store('answer', approval(endpoint.url))

    /** Sends the answer, and returns the time until the call arrives. Resolves when both are done. */
    async function untilCalled(path: string, give: () => Promise<void>): Promise<number> {
      await sleep(SETTLE_MS)
      const arrival = endpoint.arrival(path)
      const began = performance.now()
      const [at] = await Promise.all([arrival, give()])
      await sleep(SETTLE_MS)
      return at - began
    }

    const once = {
      ours: async () => {
        const run = randomUUID()
        const jobId = await ours.start(pathwayId, { run })
        const { interventionId } = await ours.asked(jobId)
        return untilCalled(`/${run}`, () => ours.approve(jobId, interventionId))
      },
      bare: async () => {
        const run = randomUUID()
        return untilCalled(`/${run}`, await bare.waitForAnswer(`${endpoint.url}/${run}`))
      },
    }
    const taken = await takeTurns(once, samples(60))
    return [{ name: 'answer → next node', unit: 'ms', samples: taken, aim: { of: 'ratio', atMost: 1.3 } }]
  },
}
