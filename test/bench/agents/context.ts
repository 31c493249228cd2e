import { startProcess } from '../../support/stack/process.ts'
import { type Stack, startStack } from '../../support/stack/stack.ts'
import { startBare } from '../bare/bare.ts'
import type { BenchOptions } from '../support/options.ts'
import { createBareLoop } from './bare-loop.ts'
import { createCaller } from './caller.ts'
import type { Heard } from './heard.ts'
import { type Plan, TOOL } from './plan.ts'

/** API, worker, a scripted provider and a bare Temporal worker, each in its own process. */
export interface TestContext {
  stack: Stack
  providerUrl: string
  /** Runs a plan through the API. */
  ours(plan: Plan): Promise<Heard>
  /** Number of runs that were rejected temporarily and retried. */
  sentAgain(): number
  /** Runs the plan with only the SDK, in this process. */
  bare(plan: Plan): Promise<Heard>
  /** Runs a hand-written workflow that calls the provider in this many activities. */
  temporal(activities: number): Promise<void>
  /** Returns the number of samples to take when a full run takes `full`. */
  samples(full: number): number
  close(): Promise<void>
}

export async function openPlace({ quick, profile }: BenchOptions): Promise<TestContext> {
  const provider = await startProcess('test/bench/agents/provider-main.ts', {}, output => portIn(output) !== undefined)
  const ends: (() => Promise<unknown>)[] = [() => provider.end()]
  const close = async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  try {
    const url = `http://127.0.0.1:${portIn(provider.output())}`
    const stack = await startStack({ env: { ...modelsAt(url), ...profiling(profile) } })
    ends.push(() => stack.stop())
    const temporal = await startBare(stack.env)
    ends.push(() => temporal.close())
    const { ours, sentAgain, leave } = await openOurs(stack)
    ends.push(leave)
    return {
      stack,
      providerUrl: url,
      ours,
      sentAgain,
      bare: createBareLoop(`${url}/v1`),
      temporal: activities => temporal.calls(`${url}/ok`, activities),
      samples: full => (quick ? Math.ceil(full / 4) : full),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const portIn = (output: string) => /port=(\d+);/.exec(output)?.[1]

const modelsAt = (url: string) => ({ MODEL_BASE_URL: `${url}/v1`, MODEL_API_KEY: 'bench', MODEL_DEFAULT: 'small' })

const profiling = (folder?: string): Record<string, string> =>
  folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } : {}

async function openOurs(
  stack: Stack,
): Promise<Pick<TestContext, 'ours' | 'sentAgain'> & { leave: () => Promise<void> }> {
  const workspace = await stack.workspace({ actor: 'user:bench' })
  const { ganglion, run, sentAgain, close: leave } = createCaller(stack.baseUrl, workspace)
  const document = { source: 'builtin', tools: [{ name: TOOL }] }
  await ganglion.resources.create('reflexes', { title: 'Clock', slug: 'clock', document })
  await ganglion.neurons.create({ title: 'Speaker', slug: 'speaker' })
  const agent = { neuron_type: 'agent' as const, tools: [{ reflex: 'clock' }], max_steps: 100 }
  await ganglion.neurons.create({ title: 'Agent', slug: 'agent', ...agent })
  return { ours: plan => run(plan.steps > 1 ? 'agent' : 'speaker', plan), sentAgain, leave }
}
