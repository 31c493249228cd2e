import { machineFacts } from '../support/machine.ts'
import { readCollection } from './collection.ts'
import { measureFreshness } from './freshness.ts'
import { measureIngest } from './ingest.ts'
import { measureLatency } from './latency.ts'
import { readSearchOptions } from './options.ts'
import { openPlace, type TestContext } from './place.ts'
import { measureQuality } from './quality.ts'
import { isLossTooLarge, type SearchReport, renderTables } from './report.ts'

const ITEMS = { quality: measureQuality, latency: measureLatency, ingest: measureIngest, freshness: measureFreshness }
type Item = keyof typeof ITEMS

/**
 * `npm run bench:search [-- <folder of a judged collection> … --only <quality | latency | ingest | freshness> --quick
 * --json]`: measures the quality and speed of the three search modes, and how fast documents become searchable. Fails
 * when an item could not be measured, or when other documents reduce the quality of hybrid search too much.
 */
async function main(): Promise<number> {
  const { folders, only, quick, json } = readSearchOptions(process.argv.slice(2))
  const items = chosen(only)
  const report: SearchReport = { machine: machineFacts(), failures: [] }
  const context = openPlace(await Promise.all(folders.map(readCollection)), quick)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(context))
  try {
    await context.embedder.ready()
    for (const item of items) await measure(item, context, report)
  } finally {
    await context.close()
  }
  process.stdout.write(`${json ? JSON.stringify(report) : `\n${renderTables(report)}`}\n`)
  return report.failures.length > 0 || report.quality?.some(isLossTooLarge) ? 1 : 0
}

/** If one item fails, the other items are still measured. */
async function measure(item: Item, context: TestContext, report: SearchReport): Promise<void> {
  const began = performance.now()
  try {
    Object.assign(report, { [item]: await ITEMS[item](context) })
  } catch (error) {
    report.failures.push({ item, reason: error instanceof Error ? error.message : String(error) })
  }
  say(`${item}: ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

function chosen(only: string[]): Item[] {
  const names = Object.keys(ITEMS) as Item[]
  const unknown = only.find(name => !(name in ITEMS))
  if (unknown !== undefined) throw new Error(`No item is called ${unknown}: ${names.join(', ')}`)
  return only.length === 0 ? names : names.filter(name => only.includes(name))
}

async function leave(context: TestContext): Promise<void> {
  await context.close()
  process.exit(130)
}

/** Progress goes to stderr, separate from the result. */
const say = (text: string) => process.stderr.write(`${text}\n`)

process.exit(await main())
