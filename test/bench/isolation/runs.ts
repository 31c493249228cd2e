import { setTimeout as sleep } from 'node:timers/promises'
import type { Ganglion, Run } from '@ganglion/client'
import { startHttpServer } from '../../support/stack/http-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { pathway } from '../../support/runs/runs.ts'
import type { Attack } from './attack.ts'
import { repeat } from './repeat.ts'

const WIDTH = 60
const CALLS = 100
const MAPS = 4

const items = (length: number) => Array.from({ length }, (_, i) => i)
const mapOver = (length: number, node: object) =>
  pathway([{ id: 'each', type: 'map', items: items(length), concurrency: 100, body: { nodes: [node], edges: [] } }])

const startRun = async (ganglion: Ganglion, definition: object) =>
  ganglion.jobs.run((await ganglion.jobs.start({ pathway: definition } as never)).job_id)

/** Resolves when the run has ended. */
async function cancel(run: Run): Promise<void> {
  await run.cancel()
  await run.result().catch(() => undefined)
}

/** Four maps, each with a hundred calls to an endpoint that never responds. */
export const hangingCalls: Attack = {
  name: '400 calls that hang',
  async begin({ ganglion }) {
    let held = 0
    const endpoint = await startHttpServer(() => void held++)
    const call = { id: 'call', type: 'http', timeout: 'PT1H', with: { method: 'POST', url: endpoint.url, json: {} } }
    const runs = await Promise.all(items(MAPS).map(() => startRun(ganglion, mapOver(CALLS, call))))
    await waitUntil(() => held >= CALLS)
    await sleep(3_000)
    return async () => {
      await Promise.all(runs.map(cancel))
      await endpoint.close()
    }
  },
}

/** One request that starts 3,661 runs. */
export const tree: Attack = {
  name: 'a tree of 3,661 runs',
  async begin({ ganglion }) {
    const store = (slug: string, definition: object) =>
      ganglion.pathways.create({ title: slug, slug, definition } as never)
    const each = (ref: string) => mapOver(WIDTH, { id: 'child', type: 'pathway', ref, with: {} })
    await store('leaf', pathway([{ id: 'a', type: 'transform', with: { value: 1 } }]))
    await store('branch', each('leaf'))
    await store('tree', each('branch'))
    const run = await ganglion.pathways.run('tree', { input: {} })
    await sleep(3_000)
    return () => cancel(run)
  },
}

/** A hundred callers that each start one run after the other. */
export const starts: Attack = {
  name: '100 callers that start runs',
  async begin({ ganglion }) {
    const definition = pathway([{ id: 'a', type: 'transform', with: { value: 1 } }])
    const stop = repeat(100, () => startRun(ganglion, definition))
    await sleep(3_000)
    return stop
  },
}
