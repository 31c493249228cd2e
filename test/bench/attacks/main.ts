import type { Ganglion } from '@ganglion/client'
import { startStack } from '../../support/stack/stack.ts'
import { type Figures, computeFigures } from '../support/figures.ts'
import { machineFacts } from '../support/machine.ts'
import { createBenchClient } from '../support/client.ts'
import type { Attack } from './attack.ts'
import { guessing } from './guessing.ts'
import { idleStreams } from './idle-streams.ts'
import { slowBodies } from './slow-bodies.ts'

const ATTACKS: Attack[] = [guessing, slowBodies, idleStreams]
const SAMPLES = 100

/**
 * `npm run test:attacks [-- <part of an attack's name> …]`: runs attacks from outside and measures a customer's
 * concurrent requests. Fails when the API does not withstand an attack.
 */
async function main(): Promise<number> {
  const wanted = process.argv.slice(2)
  const attacks = ATTACKS.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
  const lines: string[] = []
  let failed = 0
  for (const attack of attacks) {
    process.stderr.write(`${attack.name}\n`)
    try {
      lines.push(await withstand(attack))
    } catch (error) {
      failed++
      lines.push(`FAILED  ${attack.name}: ${(error as Error).message}`)
    }
  }
  const { cores, cpu, node } = machineFacts()
  const head = ['attack', 'result', 'request: quiet p50', 'quiet p95', 'attacked p50', 'attacked p95']
  const table = [row(head), row(head.map(() => '---')), ...lines]
  process.stdout.write(`${cores} cores (${cpu}), node ${node}, milliseconds\n\n${table.join('\n')}\n`)
  return failed === 0 ? 0 : 1
}

/** Returns a table row. Each attack runs on its own stack. */
async function withstand({ name, env, run }: Attack): Promise<string> {
  const stack = await startStack({ env })
  try {
    const workspace = await stack.workspace()
    const { ganglion } = createBenchClient(stack.baseUrl, workspace.api_key)
    await takeSamples(ganglion)
    const quiet = await takeSamples(ganglion)
    let attacked: Figures | undefined
    const measure = async () => void (attacked = await takeSamples(ganglion))
    const result = await run({ stack, workspace, ganglion, measure })
    const cells = [quiet, attacked].flatMap(figures => [figures?.median, figures?.p95])
    return row([name, result, ...cells.map(ms => ms?.toFixed(1) ?? '')])
  } finally {
    await stack.stop()
  }
}

async function takeSamples(ganglion: Ganglion): Promise<Figures> {
  const samples: number[] = []
  for (let i = 0; i < SAMPLES; i++) {
    const began = performance.now()
    await ganglion.skills.list()
    samples.push(performance.now() - began)
  }
  return computeFigures(samples)
}

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`

process.exit(await main())
