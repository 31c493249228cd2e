import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess, type TestProcess } from '../../support/stack/process.ts'
import type { Bench } from '../bench.ts'
import { forEach } from '../support/for-each.ts'
import type { Item, Row, Samples } from '../support/item.ts'
import { open } from '../support/pathways.ts'
import { type Child, startChild } from '../tokens/child.ts'
import type { Listening } from '../tokens/listener-main.ts'
import type { Talk } from '../tokens/publisher-main.ts'

const LEVELS = [1, 100, 1_000]
/** The total over all streams, each of a separate run. */
const TOKENS_A_SECOND = 500
const SECONDS = 2
const WARM_UP_SECONDS = 0.5
/** The time that everything in transit needs to arrive after opening or publishing. */
const SETTLE_MS = 300
const RUNS_AT_ONCE = 16

interface Set {
  listener: Child<Listening>
  publisher: Child<Talk>
  bareUrl: string
}

/** The time from passing a token to the publisher until it is read from the client's socket, across three processes. */
export const tokenItem: Item = {
  name: 'tokens',
  async run(bench) {
    const { stack, ours } = bench
    const server = await startProcess('test/bench/bare/sse-main.ts', stack.env, output => portIn(output) !== undefined)
    const listener = startChild<Listening>('listener-main.ts', stack.env)
    const publisher = startChild<Talk>('publisher-main.ts', stack.env)
    const jobs: string[] = []
    try {
      const pathwayId = await ours.store('tokens', open())
      await forEach(range(Math.max(...LEVELS)), RUNS_AT_ONCE, async () => void jobs.push(await ours.start(pathwayId)))
      const rows: Row[] = []
      const set = { listener, publisher, bareUrl: `http://127.0.0.1:${portIn(server.output())}` }
      for (const level of LEVELS) rows.push(await measure(bench, set, jobs.slice(0, level)))
      return rows
    } finally {
      await Promise.all([listener.end(), publisher.end(), end(server)])
      await forEach(jobs, RUNS_AT_ONCE, jobId =>
        bench.bare.client.workflow.getHandle(jobId).terminate('the bench is over'),
      )
    }
  },
}

async function measure({ ours, samples }: Bench, set: Set, ids: string[]): Promise<Row> {
  const { listener, publisher } = set
  const { authorization } = ours
  const urls = {
    ours: ids.map(id => `${ours.baseUrl}/v1/jobs/${id}/stream`),
    bare: ids.map(id => `${set.bareUrl}/${id}`),
  }
  const taken: Samples = { ours: [], bare: [] }
  for (const side of ['ours', 'bare'] as const)
    await listener.ask({ do: 'open', side, urls: urls[side], authorization })
  for (let turn = 0; turn < samples(3); turn++) {
    for (const side of ['ours', 'bare'] as const) {
      await sleep(SETTLE_MS)
      const talk = { side, ids, perSecond: TOKENS_A_SECOND }
      await publisher.ask({ ...talk, seconds: WARM_UP_SECONDS })
      await listener.ask({ do: 'forget' })
      await publisher.ask({ ...talk, seconds: SECONDS })
      await sleep(SETTLE_MS)
      const heard = await listener.ask<Samples>({ do: 'tell' })
      if (heard[side].length < TOKENS_A_SECOND * SECONDS) throw new Error(`${side}: tokens were lost`)
      taken[side].push(...heard[side])
    }
  }
  await listener.ask({ do: 'close' })
  const streams = ids.length === 1 ? '1 stream' : `${ids.length} streams`
  return {
    name: `token → client, ${streams}`,
    unit: 'ms',
    samples: taken,
    aim: ids.length === Math.max(...LEVELS) ? { of: 'p99', atMost: 5 } : undefined,
  }
}

const portIn = (output: string) => /port=(\d+);/.exec(output)?.[1]
const range = (count: number) => Array.from({ length: count }, (_, i) => i)
const end = (server: TestProcess) => server.end('SIGKILL')
