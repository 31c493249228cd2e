import { machineFacts } from '../support/machine.ts'
import { readOptions } from '../support/options.ts'
import type { Item } from './item.ts'
import { firstToken } from './items/first-token.ts'
import { langgraph } from './items/langgraph.ts'
import { many } from './items/many.ts'
import { through } from './items/through.ts'
import { toolStep } from './items/tool-step.ts'
import { openPlace, type TestContext } from './context.ts'
import { type AgentsReport, renderTable } from './report.ts'

const ITEMS: Item[] = [firstToken, through, toolStep, many, langgraph]

/**
 * `npm run bench:agents [-- --only <first-token | through | tool-step | many | langgraph> --quick --json --profile
 * <folder>]`: measures agents through HTTP, compared with the SDK alone, with a scripted provider. Fails when an item
 * could not be measured.
 */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  const items = chosen(options.only)
  const report: AgentsReport = { machine: machineFacts(), rows: [], notes: [], failures: [] }
  say('starting API, worker, provider and the bare worker')
  const context = await openPlace(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(context))
  try {
    for (const item of items) await measure(item, context, report)
  } finally {
    await context.close()
  }
  process.stdout.write(`${options.json ? JSON.stringify(report) : `\n${renderTable(report)}`}\n`)
  return report.failures.length > 0 ? 1 : 0
}

/** If one item fails, the other items are still measured. */
async function measure(item: Item, context: TestContext, report: AgentsReport): Promise<void> {
  const began = performance.now()
  try {
    const { rows, notes = [] } = await item.run(context)
    report.rows.push(...rows)
    report.notes.push(...notes)
  } catch (error) {
    report.failures.push({ item: item.name, reason: error instanceof Error ? error.message : String(error) })
  }
  say(`${item.name}: ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

function chosen(only: string[]): Item[] {
  const unknown = only.find(name => !ITEMS.some(item => item.name === name))
  if (unknown !== undefined)
    throw new Error(`No item is called ${unknown}: ${ITEMS.map(({ name }) => name).join(', ')}`)
  return only.length === 0
    ? ITEMS.filter(({ isOptional }) => !isOptional)
    : ITEMS.filter(({ name }) => only.includes(name))
}

async function leave(context: TestContext): Promise<void> {
  await context.close()
  process.exit(130)
}

/** Progress goes to stderr, separate from the result. */
const say = (text: string) => process.stderr.write(`${text}\n`)

process.exit(await main())
