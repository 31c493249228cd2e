import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../../..')

/** The maximum number of output characters that are kept for a process. */
const MAX_OUTPUT_CHARS = 200_000

/** A process of the product under test, started as an operator starts it. */
export interface TestProcess {
  readonly child: ChildProcess
  /** Returns the process's output so far. */
  output(): string
  /** Ends the process: SIGTERM for a graceful shutdown, SIGKILL for a crash. Returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts a TypeScript entry with Node and waits until `ready` returns true.
 * @param root folder of the version to start
 */
export async function startProcess(
  entry: string,
  env: Record<string, string>,
  ready: (output: string) => Promise<boolean> | boolean,
  args: string[] = [],
  root = ROOT,
): Promise<TestProcess> {
  const child = spawn(process.execPath, [join(root, entry), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
    // Not done for each chunk, because it copies the whole output.
    if (output.length > 2 * MAX_OUTPUT_CHARS) output = output.slice(-MAX_OUTPUT_CHARS)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const exited = once(child, 'exit') as Promise<[number | null]>
  await waitUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(`${entry} ended with ${child.exitCode}:\n${output}`)
      return ready(output)
    },
    undefined,
    () => `${entry} is not ready:\n${output.slice(-4_000)}`,
  ).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    child,
    output: () => output,
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

/** A wait ends as soon as its condition holds, so this only has to be long enough for a machine under load. */
export const PATIENCE_MS = 300_000

/** Polling uses CPU cores that all test files share, so polls become less frequent during a long wait. */
const MIN_POLL_MS = 20
const MAX_POLL_MS = 250
const POLL_SHARE = 1 / 10

/** Resolves with the first value of `check` that is neither false nor undefined. Throws after `ms`. */
export async function waitUntil<T>(
  check: () => Promise<T | false | undefined> | T | false | undefined,
  ms = PATIENCE_MS,
  complaint: () => string | Promise<string> = () => 'waited in vain',
): Promise<T> {
  const begun = Date.now()
  for (;;) {
    const value = await check()
    if (value !== false && value !== undefined) return value
    const waited = Date.now() - begun
    if (waited > ms) throw new Error(await complaint())
    await sleep(Math.min(Math.max(waited * POLL_SHARE, MIN_POLL_MS), MAX_POLL_MS))
  }
}
