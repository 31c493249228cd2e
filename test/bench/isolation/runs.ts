import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '../../support/client.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { waitUntil } from '../../support/process.ts'
import { jobWith, pathway, startRun } from '../../support/runs.ts'
import type { Attack } from './attack.ts'
import { repeat } from './repeat.ts'

const WIDTH = 60
const CALLS = 100
const MAPS = 4

const items = (length: number) => Array.from({ length }, (_, i) => i)
const mapOver = (length: number, node: object) =>
  pathway([{ id: 'each', type: 'map', items: items(length), concurrency: 100, body: { nodes: [node], edges: [] } }])

async function cancel(client: ApiClient, jobId: string): Promise<void> {
  await client.post(`/v1/jobs/${jobId}/cancel`)
  await jobWith(client, jobId)
}

/** Four maps, each of a hundred calls of an endpoint that never answers. */
export const hangingCalls: Attack = {
  name: '400 calls that hang',
  async begin({ attacker: { client } }) {
    let held = 0
    const endpoint = await startHttpServer(() => void held++)
    const call = { id: 'call', type: 'http', timeout: 'PT1H', with: { method: 'POST', url: endpoint.url, json: {} } }
    const jobs = await Promise.all(items(MAPS).map(() => startRun(client, mapOver(CALLS, call))))
    await waitUntil(() => held >= CALLS)
    await sleep(3_000)
    return async () => {
      await Promise.all(jobs.map(jobId => cancel(client, jobId)))
      await endpoint.close()
    }
  },
}

/** One request that starts 3,661 runs. */
export const tree: Attack = {
  name: 'a tree of 3,661 runs',
  async begin({ attacker: { client } }) {
    const store = (slug: string, definition: object) => client.post('/v1/pathways', { title: slug, slug, definition })
    const each = (ref: string) => mapOver(WIDTH, { id: 'child', type: 'pathway', ref, with: {} })
    await store('leaf', pathway([{ id: 'a', type: 'transform', with: { value: 1 } }]))
    await store('branch', each('leaf'))
    await store('tree', each('branch'))
    const { body } = await client.post<{ job_id: string }>('/v1/pathways/tree/execute', { input: {} })
    await sleep(3_000)
    return () => cancel(client, body.job_id)
  },
}

/** A hundred requests at a time that each start a run, one after the other. */
export const starts: Attack = {
  name: '100 callers that start runs',
  async begin({ attacker: { client } }) {
    const definition = pathway([{ id: 'a', type: 'transform', with: { value: 1 } }])
    const stop = repeat(100, () => startRun(client, definition))
    await sleep(3_000)
    return stop
  },
}
