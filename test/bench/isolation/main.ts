import { modelEnvironment } from '../../support/agents/scripted-providers.ts'
import { startModelServer } from '../../support/agents/model-server.ts'
import { startStack, type Stack } from '../../support/stack/stack.ts'
import { computeFigures } from '../support/figures.ts'
import { machineFacts } from '../support/machine.ts'
import { createBenchClient } from '../support/client.ts'
import type { Attack, AttackContext } from './attack.ts'
import { costlyExpressions, costlySchema, heldUploads, slowDocuments } from './bodies.ts'
import { queuedAgents, scriptAgents } from './agents.ts'
import { hangingCalls, starts, tree } from './runs.ts'
import { NEURON, type Sample, takeSample } from './victim.ts'

const ATTACKS: Attack[] = [
  hangingCalls,
  tree,
  starts,
  queuedAgents,
  heldUploads,
  slowDocuments,
  costlySchema,
  costlyExpressions,
]
const SAMPLES = 60
const WORK = ['run', 'tool', 'document', 'token'] as const

/**
 * `npm run test:isolation [-- <part of an attack's name> …]`: runs attacks by one workspace and measures another
 * workspace. Fails when any work of the other workspace fails.
 */
async function main(): Promise<number> {
  const wanted = process.argv.slice(2)
  const attacks = ATTACKS.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
  const models = await startModelServer()
  scriptAgents(models)
  const stack = await startStack({ env: modelEnvironment(models) })
  const failures: string[] = []
  const lines: string[] = []
  try {
    const victim = await newWorkspace(stack)
    await measure(victim, 5)
    for (const attack of attacks)
      try {
        lines.push(await withstand(stack, victim, attack))
      } catch (error) {
        failures.push(`FAILED  ${attack.name}: ${(error as Error).message}`)
      }
  } finally {
    await stack.stop()
    await models.close()
  }
  const { cores, cpu, node } = machineFacts()
  const head = ['attack', ...WORK.flatMap(work => [`${work}: quiet p50 / p95`, 'attacked p50 / p95'])]
  const table = [row(head), row(head.map(() => '---')), ...lines, ...failures]
  process.stdout.write(`${cores} cores (${cpu}), node ${node}, milliseconds\n\n${table.join('\n')}\n`)
  return failures.length === 0 ? 0 : 1
}

async function newWorkspace(stack: Stack): Promise<AttackContext> {
  const workspace = await stack.workspace()
  const { ganglion } = createBenchClient(stack.baseUrl, workspace.api_key)
  await ganglion.reflexes.create({ title: 'Built-in', slug: 'builtin', source: 'builtin' })
  const tools = [{ reflex: 'builtin' }]
  await ganglion.neurons.create({ title: 'Talker', slug: NEURON, neuron_type: 'agent', tools })
  return { stack, attacker: workspace, ganglion }
}

async function measure({ ganglion }: AttackContext, count: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let i = 0; i < count; i++) samples.push(await takeSample(ganglion))
  return samples
}

/** Returns a table row. */
async function withstand(stack: Stack, victim: AttackContext, attack: Attack): Promise<string> {
  process.stderr.write(`${attack.name}\n`)
  const quiet = await measure(victim, SAMPLES)
  const end = await attack.begin(await newWorkspace(stack))
  try {
    const attacked = await measure(victim, SAMPLES)
    return row([attack.name, ...WORK.flatMap(work => [quiet, attacked].map(samples => toCell(samples, work)))])
  } finally {
    await end()
  }
}

function toCell(samples: Sample[], work: keyof Sample): string {
  const { median, p95 } = computeFigures(samples.map(sample => sample[work]))
  return `${median.toFixed(0)} / ${p95.toFixed(0)}`
}

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`

process.exit(await main())
