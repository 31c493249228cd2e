import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, openBench } from '../bench.ts'
import { machineFacts } from '../support/machine.ts'
import { readOptions } from '../support/options.ts'
import { cpuBetween, usedBy } from '../support/processes.ts'
import { readStored, type Stored } from './storage.ts'
import { type Work, WORKS } from './works.ts'

/** Background writes count towards the preceding work. */
const SETTLE_MS = 4_000
const PROCESSES = ['api', 'worker', 'temporal', 'postgres', 'redis', 'elasticsearch'] as const

/**
 * `npm run bench:costs [-- --quick]`: measures processor time, memory, rows and bytes per run, step, waiting run,
 * stream and text, by component.
 */
async function main(): Promise<number> {
  const bench = await openBench(readOptions(process.argv.slice(2)))
  const rows: string[][] = []
  try {
    // The first run compiles code and fills caches.
    for (const work of WORKS.slice(0, 4)) await work.run(bench, 50)
    for (const work of WORKS) {
      process.stderr.write(`${work.name}\n`)
      const row = await measure(bench, work)
      process.stderr.write(`  ${row.join('  ')}\n`)
      rows.push(row)
    }
  } finally {
    await bench.close()
  }
  const { cores, cpu, node } = machineFacts()
  const head = [
    'one',
    ...PROCESSES.map(name => `${name} ms`),
    'api kB',
    'worker kB',
    'rows',
    ...['Postgres', 'Redis', 'Temporal', 'Elasticsearch'].map(name => `${name} bytes`),
  ]
  const table = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  process.stdout.write(`${cores} cores (${cpu}), node ${node}\n\n${table.join('\n')}\n`)
  return 0
}

async function look({ stack }: Bench) {
  await sleep(SETTLE_MS)
  return { used: await usedBy(stack), stored: await readStored(stack) }
}

/** Returns a table row with each figure per unit of work. */
async function measure(bench: Bench, { name, count, run }: Work): Promise<string[]> {
  const total = bench.samples(count)
  const before = await look(bench)
  await run(bench, total)
  const after = await look(bench)
  const cpu = cpuBetween(before.used, after.used)
  const memory = (process: 'api' | 'worker') =>
    ((after.used[process].resident_mb - before.used[process].resident_mb) * 1_024) / total
  const stored = (key: keyof Stored) => (after.stored[key] - before.stored[key]) / total
  return [
    name,
    ...PROCESSES.map(process => ((cpu[process] ?? Number.NaN) / total).toFixed(1)),
    memory('api').toFixed(1),
    memory('worker').toFixed(1),
    stored('rows').toFixed(1),
    ...(['postgres', 'redis', 'temporal', 'elasticsearch'] as const).map(key => stored(key).toFixed(0)),
  ]
}

process.exit(await main())
