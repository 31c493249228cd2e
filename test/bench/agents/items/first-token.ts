import { takeTurns } from '../../turns.ts'
import type { Heard } from '../heard.ts'
import type { Item } from '../item.ts'

const PLAN = { steps: 1, tokens: 5, wait_ms: 50, every_ms: 5 }

/** From the request until the first token is here, of a provider that takes a while; and the part of it until the provider was called. */
export const firstToken: Item = {
  name: 'first-token',
  async run({ ours, bare, samples }) {
    const heard = await takeTurns({ ours: () => ours(PLAN), bare: () => bare(PLAN) }, samples(200))
    const row = (name: string, part: (one: Heard) => number) => ({
      name,
      unit: 'ms' as const,
      ours: heard.ours.map(part),
      bare: heard.bare.map(part),
    })
    return {
      rows: [
        row(`first token, provider takes ${PLAN.wait_ms} ms`, ({ first }) => first),
        row('of it, until the provider is asked', ({ requested }) => requested),
        row('of it, after the provider was asked', ({ first, requested }) => first - requested),
      ],
    }
  },
}
