import type { Ganglion } from '@ganglion/client'
import { pathway } from '../../support/runs/runs.ts'
import { readDocument } from './read-document.ts'

/** Another workspace's work during the attack, in milliseconds. */
export interface Sample {
  run: number
  tool: number
  document: number
  /** From an agent's start to its first token. */
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

/** Starts a run, calls a tool, ingests a short text and streams an agent answer. Each one runs to its end. */
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

/** Returns the milliseconds until an agent's first token, then reads the stream to its end. */
async function hearToken(ganglion: Ganglion): Promise<number> {
  const began = performance.now()
  let first: number | undefined
  const run = await ganglion.neurons.run(NEURON, { message: 'Say hello' })
  for await (const { type } of run.stream()) if (type === 'token') first ??= performance.now() - began
  return first ?? Number.NaN
}
