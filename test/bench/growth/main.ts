import { type Bench, openBench } from '../bench.ts'
import { computeFigures } from '../support/figures.ts'
import { machineFacts } from '../support/machine.ts'
import { readOptions } from '../support/options.ts'
import { usedBy } from '../support/processes.ts'
import { addFinishedRuns, openStreams, type Waiting, startWaitingRuns } from './filling.ts'
import { preparePathway, PROBES } from './probes.ts'

const WAITING = 20_000
const FINISHED = 200_000
const STREAMS = 1_000
const WARM_UP = 20
const MAX_RATIO = 1.3

/**
 * `npm run bench:growth [-- --quick]`: compares request times of an empty system with those of a system with 20,000
 * waiting runs, 200,000 ended runs and 1,000 open streams.
 */
async function main(): Promise<number> {
  const bench = await openBench(readOptions(process.argv.slice(2)))
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const [waiting, finished, streams] = [WAITING, FINISHED, STREAMS].map(bench.samples) as [number, number, number]
  try {
    const pathwayId = await preparePathway(bench)
    // The first round is slow, because the processes compile their code.
    await measureAll(bench, pathwayId)
    const empty = await measureAll(bench, pathwayId)
    say(`${finished} ended runs`)
    await addFinishedRuns(bench, finished)
    say(`${waiting} waiting runs`)
    const runs = await startWaitingRuns(bench, pathwayId, waiting)
    say(`${streams} streams`)
    const close = await openStreams(bench, runs, streams)
    const full = await measureAll(bench, pathwayId, runs)
    await close()
    const rows = Object.entries(empty).map(([name, before]) => describe(name, before, full[name] ?? []))
    const { worker, api } = await usedBy(bench.stack)
    const { cores, cpu, node } = machineFacts()
    const head = ['request', 'empty p50', 'p95', 'full p50', 'p95', 'full / empty (p95)', `at most ${MAX_RATIO}`]
    const table = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
    process.stdout.write(
      `${cores} cores (${cpu}), node ${node}; ${waiting} waiting, ${finished} ended, ${streams} streams\n`,
    )
    process.stdout.write(
      `\n${table.join('\n')}\n\nworker ${worker.resident_mb.toFixed(0)} MB, API ${api.resident_mb.toFixed(0)} MB\n`,
    )
    return 0
  } finally {
    await bench.close()
  }
}

/** Returns the milliseconds of each request, by name. */
async function measureAll(bench: Bench, pathwayId: string, waiting: Waiting[] = []): Promise<Record<string, number[]>> {
  const taken: Record<string, number[]> = {}
  for (const { name, samples, prepare } of PROBES) {
    const count = bench.samples(samples) + WARM_UP
    const request = await prepare(bench, pathwayId, count, waiting)
    const times: number[] = []
    for (let n = 0; n < count; n++) {
      const began = performance.now()
      await request(n)
      if (n >= WARM_UP) times.push(performance.now() - began)
    }
    taken[name] = times
    process.stderr.write(`  ${name}: p95 ${computeFigures(times).p95.toFixed(1)} ms\n`)
  }
  return taken
}

function describe(name: string, before: number[], after: number[]): string[] {
  const [empty, full] = [computeFigures(before), computeFigures(after)]
  const ratio = full.p95 / empty.p95
  const times = [empty.median, empty.p95, full.median, full.p95].map(ms => ms.toFixed(1))
  return [name, ...times, ratio.toFixed(2), ratio <= MAX_RATIO ? 'yes' : 'no']
}

process.exit(await main())
