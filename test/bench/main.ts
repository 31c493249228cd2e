import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, openBench } from './bench.ts'
import type { Item } from './support/item.ts'
import { answer } from './items/answer.ts'
import { client } from './items/client.ts'
import { documents } from './items/documents.ts'
import { requests } from './items/requests.ts'
import { stakeholderMaps } from './items/stakeholder-maps.ts'
import { start } from './items/start.ts'
import { stepItems } from './items/steps.ts'
import { throughput } from './items/throughput.ts'
import { tokenItem } from './items/tokens.ts'
import { machineFacts } from './support/machine.ts'
import { type BenchOptions, readOptions } from './support/options.ts'
import { renderJson, type Report, renderTable } from './support/report.ts'

const ITEMS: Item[] = [...stepItems, start, answer, tokenItem, throughput, requests, client, stakeholderMaps, documents]
const MAX_RUN_MS = 600_000

/** `npm run bench [-- --only <name> --quick --json --profile <folder>]`. Fails when an item could not be measured. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  const items = chosen(options)
  const report: Report = { machine: machineFacts(), rows: [], failures: [] }
  say('starting API, worker and the bare worker')
  const bench = await openBench(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(bench))
  try {
    for (const item of items) await measure(item, bench, report)
  } finally {
    await bench.close()
  }
  process.stdout.write(`${options.json ? renderJson(report) : `\n${renderTable(report)}`}\n`)
  return report.failures.length > 0 ? 1 : 0
}

/** If one item fails, the other items are still measured. */
async function measure(item: Item, bench: Bench, report: Report): Promise<void> {
  const began = performance.now()
  try {
    report.rows.push(...(await orTooLong(item.run(bench))))
  } catch (error) {
    report.failures.push({ item: item.name, reason: error instanceof Error ? error.message : String(error) })
  }
  say(`${item.name}: ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

/** Treats an item that hangs as a failure. */
async function orTooLong<T>(work: Promise<T>): Promise<T> {
  const tooLong = sleep(MAX_RUN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`not done within ${MAX_RUN_MS / 1_000} s`)
  })
  return Promise.race([work, tooLong])
}

function chosen({ only }: BenchOptions): Item[] {
  const unknown = only.find(name => !ITEMS.some(item => item.name === name))
  if (unknown !== undefined)
    throw new Error(`No item is called ${unknown}: ${ITEMS.map(({ name }) => name).join(', ')}`)
  return only.length === 0 ? ITEMS : ITEMS.filter(({ name }) => only.includes(name))
}

async function leave(bench: Bench): Promise<void> {
  await bench.close()
  process.exit(130)
}

/** Progress goes to stderr, separate from the result. */
const say = (text: string) => process.stderr.write(`${text}\n`)

process.exit(await main())
