import { takeTurns } from '../../support/turns.ts'
import { type Item, toRow } from '../item.ts'

const PLAN = { steps: 1, tokens: 5, wait_ms: 50, every_ms: 5 }

/**
 * The time from the request to the first token with a slow provider, and the part of it before the provider is
 * called.
 */
export const firstToken: Item = {
  name: 'first-token',
  async run({ ours, bare, samples }) {
    const heard = await takeTurns({ ours: () => ours(PLAN), bare: () => bare(PLAN) }, samples(200))
    return {
      rows: [
        toRow(`first token, provider takes ${PLAN.wait_ms} ms`, heard, ({ first }) => first),
        toRow('of it, until the provider is asked', heard, ({ requested }) => requested),
        toRow('of it, after the provider was asked', heard, ({ first, requested }) => first - requested),
      ],
    }
  },
}
