import type { Row } from '../support/item.ts'
import { machineFacts } from '../support/machine.ts'
import { readOptions } from '../support/options.ts'
import { renderJson, type Report, renderTable } from '../support/report.ts'
import { takeTurns, timed } from '../support/turns.ts'
import { openPlace, type TestContext } from './place.ts'
import { createProbes, type Probe } from './probes.ts'

/** The target for every request with 100,000 resources in the workspace. */
const AIM_MS = 50

/**
 * `npm run bench:spine [-- --only <browse | resource-tree | tree | move> --quick --json --profile <folder>]`:
 * measures requests through HTTP, compared with the same statements alone.
 */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  const report: Report = { machine: machineFacts(), rows: [], failures: [] }
  say('starting the API, making 100,000 resources')
  const context = await openPlace(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(context))
  try {
    const probes = await createProbes(context)
    const chosen = probes.filter(({ group }) => options.only.length === 0 || options.only.includes(group))
    for (const probe of chosen) {
      const row = await measure(probe, context).catch((error: unknown) => {
        report.failures.push({ item: probe.name, reason: error instanceof Error ? error.message : String(error) })
      })
      if (row) report.rows.push(row)
    }
  } finally {
    await context.close()
  }
  process.stdout.write(`${options.json ? renderJson(report) : `\n${renderTable(report)}`}\n`)
  return report.failures.length > 0 ? 1 : 0
}

async function measure(probe: Probe, context: TestContext): Promise<Row> {
  const once = {
    ours: () => timed(() => probe.http(context)),
    bare: () => timed(() => context.inWorkspace(probe.sql)),
  }
  const { name, aim = AIM_MS, samples: turns = 200 } = probe
  const samples = await takeTurns(once, context.samples(turns), Math.min(10, turns / 4))
  say(name)
  return { name, unit: 'ms', samples, aim: { of: 'p95', atMost: aim } }
}

async function leave(context: TestContext): Promise<void> {
  await context.close()
  process.exit(130)
}

/** Progress goes to stderr, separate from the result. */
const say = (text: string) => process.stderr.write(`${text}\n`)

process.exit(await main())
