import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CHECKOUT } from '../machine/folders.ts'
import { acquireLease } from '../stack/state/leases.ts'
import { openStateDir } from '../stack/state/state-dir.ts'
import { STATE_DIR, commandComponents } from '../stack/stack.ts'
import { releaseStack } from '../stack/state/release.ts'
import { logLine } from '../stack/log.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { prepareBrowser, testEnvironment } from './test.ts'

/**
 * `npm run bench [-- --only <name> --quick --json --profile <folder>]`: compares Ganglion with plain Temporal, on the
 * running components or on components that are started for the benchmark. `docs/benchmarks.md` describes the
 * measurements.
 */
export const bench = createBench('test/bench/main.ts')
/** `npm run bench:agents [-- --only <name> --quick --json --profile <folder>]`: compares agents with the plain SDK. */
export const benchAgents = createBench('test/bench/agents/main.ts')
/** `npm run bench:spine [-- --only <name> --quick --json]`: measures discovery and moves with 100,000 resources. */
export const benchSpine = createBench('test/bench/spine/main.ts')
/**
 * `npm run bench:search [-- <folder> … --only <name> --quick --json]`: measures the quality and latency of search,
 * and the speed of ingestion.
 */
export const benchSearch = createBench('test/bench/search/main.ts')
/** `npm run bench:costs [-- --quick]`: measures what a run, step, stream and text cost in each component. */
export const benchCosts = createBench('test/bench/costs/main.ts')
/**
 * `npm run bench:growth [-- --quick]`: compares response times on an empty system with response times on a system
 * with many runs and streams.
 */
export const benchGrowth = createBench('test/bench/growth/main.ts')
/**
 * `npm run bench:console [-- --quick]`: measures page load times and the longest tasks of the web console in
 * Chromium.
 */
export const benchConsole = createBench('test/bench/console/main.ts', prepareBrowser)
/**
 * `npm run test:isolation [-- <part of a name> …]`: attacks the system from one workspace and measures response times
 * in another.
 */
export const testIsolation = createBench('test/bench/isolation/main.ts')
/** `npm run test:attacks [-- <part of a name> …]`: runs and measures key guessing, slow requests and idle streams. */
export const testAttacks = createBench('test/bench/attacks/main.ts')
/**
 * `npm run fuzz [-- --examples <number> --seed <number>]`: runs Schemathesis on every operation in the OpenAPI
 * document.
 */
export const fuzz = createBench('test/attacks/fuzz/main.ts')
/**
 * `npm run test:generators [-- <part of a name> …]`: generates clients, compiles them and uses them to read from a
 * service.
 */
export const testGenerators = createBench('test/clients/generators/main.ts')

function createBench(entry: string, prepare?: () => Promise<Record<string, string>>): Command {
  return async args => {
    openStateDir(STATE_DIR)
    const interrupted = untilInterrupted()
    acquireLease(STATE_DIR)
    try {
      const { env } = await commandComponents({ stays: false, interrupted })
      interrupted.throwIfAborted()
      return await runBench(entry, args, { ...testEnvironment(env), ...(await prepare?.()) }, interrupted)
    } finally {
      await releaseStack(STATE_DIR, logLine)
    }
  }
}

async function runBench(
  entry: string,
  args: string[],
  env: Record<string, string>,
  interrupted: AbortSignal,
): Promise<number> {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: CHECKOUT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  interrupted.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
