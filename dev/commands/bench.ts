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
 * `npm run bench [-- --only <name> --quick --json --profile <folder>]`: ours beside plain Temporal, on the components
 * that run or are started for it. `docs/benchmarks.md` says what is measured.
 */
export const bench = createBench('test/bench/main.ts')
/** `npm run bench:agents [-- --only <name> --quick --json --profile <folder>]`: agents beside the SDK alone. */
export const benchAgents = createBench('test/bench/agents/main.ts')
/** `npm run bench:spine [-- --only <name> --quick --json]`: discovery and moving at 100,000 resources. */
export const benchSpine = createBench('test/bench/spine/main.ts')
/** `npm run bench:search [-- <folder> … --only <name> --quick --json]`: quality, latency and ingest of search. */
export const benchSearch = createBench('test/bench/search/main.ts')
/** `npm run bench:costs [-- --quick]`: what one run, step, stream and text costs in each component. */
export const benchCosts = createBench('test/bench/costs/main.ts')
/** `npm run bench:growth [-- --quick]`: requests of an empty system beside those of one with many runs and streams. */
export const benchGrowth = createBench('test/bench/growth/main.ts')
/** `npm run bench:console [-- --quick]`: how soon pages of the web console show, and their longest tasks, in Chromium. */
export const benchConsole = createBench('test/bench/console/main.ts', prepareBrowser)
/** `npm run test:isolation [-- <part of a name> …]`: attacks of one workspace, with the times of another beside them. */
export const testIsolation = createBench('test/bench/isolation/main.ts')
/** `npm run test:attacks [-- <part of a name> …]`: guessed keys, slow requests and idle streams, with their figures. */
export const testAttacks = createBench('test/bench/attacks/main.ts')
/** `npm run fuzz [-- --examples <number> --seed <number>]`: Schemathesis on every operation of the OpenAPI document. */
export const fuzz = createBench('test/attacks/fuzz/main.ts')
/** `npm run test:generators [-- <part of a name> …]`: generated clients compile, and read from a service. */
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
