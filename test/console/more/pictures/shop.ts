import { setTimeout as sleep } from 'node:timers/promises'
import { startHttpServer, type TestServer } from '../../../support/stack/http-server.ts'

/** Replies from the order system by path, each after a number of milliseconds. */
const REPLIES: [path: RegExp, ms: number, reply: object][] = [
  [/^\/vendors/, 1_900, { status: 'approved', since: '2024-03-01' }],
  [/^\/orders\/4711\/refund/, 200, { status: 'refunded' }],
  [/^\/orders\/4711/, 200, { number: '4711', items: '2 desk lamps', total: '€178.00', arrived: '2026-11-26' }],
  [/^\/orders\/4698/, 200, { number: '4698', items: '1 office chair', total: '€189.00', arrived: '2026-11-20' }],
  [/^\/orders/, 1_200, { status: 'delivered', at: '2026-11-24' }],
  [/^\/payments\/KO/, 800, { payment: 'P-5512' }],
]

/** Starts the company's order system. Payments of large invoices never complete. */
export const startShop = (): Promise<TestServer> =>
  startHttpServer((request, response) => {
    void (async () => {
      const [, ms, reply] = REPLIES.find(([path]) => path.test(request.url ?? '')) ?? []
      if (reply === undefined) return
      await sleep(ms)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    })()
  })
