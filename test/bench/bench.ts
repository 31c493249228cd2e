import { type Stack, startStack } from '../support/stack/stack.ts'
import { type Bare, startBare } from './bare/bare.ts'
import { type Endpoint, startEndpoint } from './support/endpoint.ts'
import type { BenchOptions } from './support/options.ts'
import { createOurs, type Ours } from './support/ours.ts'

/** Ganglion and the plain Temporal baseline, on the same Temporal server. */
export interface Bench {
  stack: Stack
  ours: Ours
  bare: Bare
  endpoint: Endpoint
  /** Returns the number of samples to take when a full run takes `full`. */
  samples(full: number): number
  close(): Promise<void>
}

export async function openBench({ quick, profile }: BenchOptions): Promise<Bench> {
  const env = profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : undefined
  const [stack, endpoint] = await Promise.all([startStack({ env }), startEndpoint()])
  const bare = await startBare(stack.env).catch(async (error: unknown) => {
    await stack.stop()
    throw error
  })
  const ours = createOurs(stack.baseUrl, await stack.workspace({ actor: 'user:bench' }))
  return {
    stack,
    ours,
    bare,
    endpoint,
    samples: full => (quick ? Math.ceil(full / 4) : full),
    close: async () => {
      await Promise.all([ours.close(), bare.close(), stack.stop()])
      await endpoint.close()
    },
  }
}
