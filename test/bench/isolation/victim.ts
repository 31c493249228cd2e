import type { ApiClient } from '../../support/client.ts'
import { ingest, readAsset } from '../../support/documents.ts'
import { jobWith, pathway, startRun } from '../../support/runs.ts'

/** What another workspace does meanwhile: times in milliseconds. */
export interface Sample {
  run: number
  tool: number
  document: number
}

const DEFINITION = pathway([{ id: 'a', type: 'transform', with: { value: 1 } }])
let documents = 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Starts a run, calls a tool and ingests a small text, one after the other, each to its end. */
export async function takeSample(client: ApiClient): Promise<Sample> {
  return {
    run: await timed(async () => jobWith(client, await startRun(client, DEFINITION))),
    tool: await timed(() => client.post('/v1/tools/current_time/call', { arguments: {} })),
    document: await timed(async () => {
      const { body } = await ingest(client, { title: 'Note', text: `note ${documents++} of ${Date.now()}` })
      await readAsset(client, body.asset.id)
    }),
  }
}
