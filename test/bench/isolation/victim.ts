import type { Ganglion } from '@ganglion/client'
import { pathway } from '../../support/runs.ts'
import { readDocument } from './read-document.ts'

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
export async function takeSample(ganglion: Ganglion): Promise<Sample> {
  return {
    run: await timed(async () => {
      const { job_id } = await ganglion.jobs.start({ pathway: DEFINITION } as never)
      await ganglion.jobs.run(job_id).result()
    }),
    tool: await timed(() => ganglion.tools.call('current_time', { arguments: {} })),
    document: await timed(async () => {
      await readDocument(ganglion, { title: 'Note', text: `note ${documents++} of ${Date.now()}` })
    }),
  }
}
