import type { Ganglion } from '@ganglion/client'
import { pathway } from '../../support/runs/runs.ts'
import { readDocument } from './read-document.ts'

/** What another workspace does meanwhile: times in milliseconds. */
export interface Sample {
  run: number
  tool: number
  document: number
  /** Of an agent, from its start to its first token. */
  token: number
}

const DEFINITION = pathway([{ id: 'a', type: 'transform', with: { value: 1 } }])
let documents = 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

export const NEURON = 'talker'

/** Starts a run, calls a tool, ingests a small text and hears an agent speak, one after the other, each to its end. */
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
    token: await hearToken(ganglion),
  }
}

/** Returns the milliseconds until the first token of an agent, and reads on to its end. */
async function hearToken(ganglion: Ganglion): Promise<number> {
  const began = performance.now()
  let first: number | undefined
  const run = await ganglion.neurons.run(NEURON, { message: 'Say hello' })
  for await (const { type } of run.stream()) if (type === 'token') first ??= performance.now() - began
  return first ?? Number.NaN
}
