import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../support/stack/process.ts'
import type { Bench } from '../bench.ts'
import { forEach } from '../support/for-each.ts'
import { approval, calls, open, transforms } from '../support/pathways.ts'
import { execute } from '../../../data/shared/statements.ts'

/** Work that is performed or kept open many times. Its cost is divided by the count. */
export interface Work {
  name: string
  count: number
  run(bench: Bench, count: number): Promise<void>
}

const AT_ONCE = 10
const STREAM_SECONDS = 30

const range = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Runs that are followed to their end. */
const runs = (name: string, count: number, define: (url: string) => object): Work => ({
  name,
  count,
  async run({ ours, endpoint }, total) {
    const id = await ours.store(name, define(endpoint.url))
    await forEach(range(total), AT_ONCE, async () => ours.completed(await ours.start(id)))
  },
})

export const WORKS: Work[] = [
  runs('a run with one transform', 400, () => transforms(1)),
  runs('a run with 11 transforms', 400, () => transforms(11)),
  runs('a run with one http call', 400, url => calls(url, 1)),
  runs('a run with 11 http calls', 200, url => calls(url, 11)),
  {
    name: 'a run that waits for a person',
    count: 1_000,
    async run({ ours, endpoint }, total) {
      const id = await ours.store('Waits', approval(endpoint.url))
      await forEach(range(total), AT_ONCE, async n => ours.asked(await ours.start(id, { run: String(n) })))
    },
  },
  {
    name: `an open stream of a run, for ${STREAM_SECONDS} s`,
    count: 50,
    async run({ ours }, total) {
      const jobId = await ours.start(await ours.store('Holds', open()))
      const ending = new AbortController()
      let opened = 0
      const follow = async () => {
        let isOpen = false
        for await (const _ of ours.ganglion.jobs.run(jobId).stream({ signal: ending.signal })) {
          if (!isOpen) opened++
          isOpen = true
        }
      }
      const streams = range(total).map(() => follow().catch(() => undefined))
      await waitUntil(() => opened >= total)
      await sleep(STREAM_SECONDS * 1_000)
      ending.abort()
      await Promise.all(streams)
    },
  },
  {
    name: 'a text of 150 words, until it is found',
    count: 400,
    async run({ ours, stack }, total) {
      const words = (n: number) => range(150).map(at => `word${(n * 7_919 + at * (n + 13)) % 4_000}`)
      const texts = range(total).map(n => ({ title: `Text ${n}`, text: `${words(n).join(' ')}.` }))
      for (let at = 0; at < total; at += 100)
        await ours.ganglion.assets.ingest({ documents: texts.slice(at, at + 100) })
      await waitUntil(() =>
        stack.database.db.inWorkspace(ours.workspaceId, async tx => {
          const left = await execute(tx, 'select 1 from search_outbox limit 1')
          return left === 0
        }),
      )
    },
  },
]
