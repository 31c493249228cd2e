import { takeTurns } from '../../support/turns.ts'
import type { Heard } from '../heard.ts'
import { type Item, toRow } from '../item.ts'

const FAST = { steps: 1, tokens: 5_000, wait_ms: 0, every_ms: 0 }
const PACED = { steps: 1, tokens: 400, wait_ms: 0, every_ms: 5 }

/** Tokens in one stream: tokens per second from a provider that does not wait, and token delays from one that does. */
export const through: Item = {
  name: 'through',
  async run({ ours, bare, samples }) {
    const fast = await takeTurns({ ours: () => ours(FAST), bare: () => bare(FAST) }, samples(12), 3)
    const paced = await takeTurns({ ours: () => ours(PACED), bare: () => bare(PACED) }, samples(8), 1)
    for (const { tokens } of [...fast.ours, ...fast.bare])
      if (tokens !== FAST.tokens) throw new Error(`${tokens} of ${FAST.tokens} tokens came through`)
    const name = `${FAST.tokens.toLocaleString('en')} tokens at once, through to the client`
    return {
      rows: [
        { name, unit: 'tokens/s', ours: fast.ours.map(rate), bare: fast.bare.map(rate) },
        toRow(`a token on its way, 1 stream of ${1_000 / PACED.every_ms}/s`, paced, ({ ages }) => ages),
      ],
    }
  },
}

/** From the time the provider receives the request to the client's last token. */
const rate = ({ tokens, last, requested }: Heard): number => tokens / ((last - requested) / 1_000)
