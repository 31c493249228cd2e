import type { Bench } from '../bench.ts'
import type { Aim, Item } from '../support/item.ts'
import { calls, transforms } from '../support/pathways.ts'
import { takeTurns, timed } from '../support/turns.ts'

const STEPS = 40

/**
 * The time from the request until the caller sees the end of the run: `complete` on the stream, or the workflow
 * result.
 */
function steps(name: string, title: string, turns: number, aim: Aim | undefined, sides: Sides): Item {
  return {
    name,
    async run(bench) {
      const { ours, samples } = bench
      const pathwayId = await ours.store(name, sides.pathway(bench))
      const once = {
        ours: () => timed(async () => ours.completed(await ours.start(pathwayId))),
        bare: () => timed(() => sides.bare(bench)),
      }
      return [{ name: `${STEPS} ${title}, in all`, unit: 'ms', samples: await takeTurns(once, samples(turns)), aim }]
    },
  }
}

interface Sides {
  pathway(bench: Bench): object
  bare(bench: Bench): Promise<void>
}

/** Less than 1 ms per step. */
const TRANSFORMS: Aim = { of: 'median', atMost: STEPS }
const CALLS: Aim = { of: 'ratio', atMost: 1 }

export const stepItems: Item[] = [
  steps('transforms', 'transforms', 60, TRANSFORMS, {
    pathway: () => transforms(STEPS),
    bare: ({ bare }) => bare.transforms(STEPS),
  }),
  steps('http', 'http calls', 25, CALLS, {
    pathway: ({ endpoint }) => calls(endpoint.url, STEPS),
    bare: ({ bare, endpoint }) => bare.calls(endpoint.url, STEPS),
  }),
  steps('http-idempotent', 'idempotent http calls', 25, CALLS, {
    pathway: ({ endpoint }) => calls(endpoint.url, STEPS, { idempotent: true }),
    bare: ({ bare, endpoint }) => bare.localCalls(endpoint.url, STEPS),
  }),
]
