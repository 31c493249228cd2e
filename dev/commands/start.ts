import { parseArgs } from 'node:util'
import { answers } from '../stack/apps.ts'
import { demoCredentials, makeSignInLink } from '../stack/state/credentials.ts'
import { stillRunning } from '../stack/entries.ts'
import { acquireLease } from '../stack/state/leases.ts'
import { openStateDir } from '../stack/state/state-dir.ts'
import { STATE_DIR, startStack } from '../stack/stack.ts'
import type { DevStack } from '../stack/stack.ts'
import { keepAlive } from '../stack/watch/keep-alive.ts'
import { releaseStack } from '../stack/state/release.ts'
import { logLine } from '../stack/log.ts'
import { readState } from '../stack/state/state.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { welcome } from './welcome.ts'

/**
 * `npm start [-- --workers <number>]`: starts everything, keeps the API and the workers running until the command is
 * interrupted, and then stops what it started.
 */
export const start = serve((stack, interrupted) => keepAlive(STATE_DIR, stack.apps, logLine, interrupted))

/** Builds a command that starts everything, serves until it is interrupted, and then stops what it started. */
export function serve(keepServing: (stack: DevStack, interrupted: AbortSignal) => Promise<void>): Command {
  return async args => {
    const workers = readWorkers(args)
    openStateDir(STATE_DIR)
    const base = await findServingApi()
    if (base) {
      process.stdout.write(
        `Already running at ${base}. Use "npm run status" to show the stack, "npm stop" to stop it.\n`,
      )
      return 0
    }
    const interrupted = untilInterrupted()
    acquireLease(STATE_DIR)
    try {
      const stack = await startStack({ stays: false, interrupted, workers })
      const credentials = await demoCredentials(STATE_DIR, stack)
      process.stdout.write(welcome(stack, await makeSignInLink(stack, credentials)))
      await keepServing(stack, interrupted)
      return 0
    } finally {
      await releaseStack(STATE_DIR, logLine)
    }
  }
}

const MAX_WORKERS = 64

/** Returns the number of worker processes. Throws if the arguments are invalid. */
function readWorkers(args: string[]): number {
  const { values } = parseArgs({ args, options: { workers: { type: 'string', default: '1' } } })
  const workers = Number(values.workers)
  if (Number.isInteger(workers) && workers >= 1 && workers <= MAX_WORKERS) return workers
  throw new Error(`--workers must be a number from 1 to ${MAX_WORKERS}, not ${values.workers}`)
}

/** Returns the address of this checkout's API, if the API responds and a worker is running. */
async function findServingApi(): Promise<string | undefined> {
  const state = readState(STATE_DIR)
  const running = stillRunning(state)
  if (!running.has('api') || !running.has('worker')) return undefined
  const base = `http://127.0.0.1:${state.ports['api']}`
  return answers(`${base}/v1/health`).then(
    () => base,
    () => undefined,
  )
}
