import { Agent, request } from 'undici'
import type { Item } from '../support/item.ts'
import { takeTurns, timed } from '../support/turns.ts'

const PATH = '/v1/health/live'

/** Client overhead per request, compared with a bare HTTP client, for sequential requests to the cheapest route. */
export const client: Item = {
  name: 'client',
  async run({ ours, samples }) {
    const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 60_000 })
    const once = {
      ours: () => timed(() => ours.ganglion.health.live()),
      bare: () => timed(async () => (await request(ours.baseUrl + PATH, { dispatcher })).body.text()),
    }
    try {
      return [
        { name: `GET ${PATH} by the client; bare: undici`, unit: 'ms', samples: await takeTurns(once, samples(500)) },
      ]
    } finally {
      await dispatcher.destroy()
    }
  },
}
