import { join, sep } from 'node:path'
import { ensureDatabase } from '../components/postgres-database.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { hold } from '../stack/holders.ts'
import { openHome } from '../stack/home.ts'
import { HOME, commandComponents } from '../stack/house.ts'
import { leave } from '../stack/leave.ts'
import { logLine } from '../stack/log.ts'
import { migrate } from '../stack/migrate.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { listTests, runJest } from './jest.ts'
import type { TestOutcome } from './jest.ts'

/**
 * `npm test [-- jest arguments]`: the suite against the real components, in a database, a Redis database and a
 * Temporal namespace of its own, so that a running `npm start` is not disturbed. The last line is `N passed, N failed`.
 */
export const test: Command = async args => {
  openHome(HOME)
  const interrupted = untilInterrupted()
  hold(HOME)
  const { passed, failed, skipped, ok } = await runAndLeave(args, interrupted)
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
  return ok && failed === 0 ? 0 : 1
}

const RANDOM_RUNS = 1_000

/**
 * `npm run test:random-runs [-- cases [seed]]`: plays random pathways on the real server, a thousand unless a number is
 * given. The suite plays a few of them.
 */
export const testRandomRuns: Command = async ([cases = String(RANDOM_RUNS), seed]) => {
  process.env['RANDOM_RUNS'] = cases
  if (seed !== undefined) process.env['RANDOM_RUNS_SEED'] = seed
  return test(['test/integration/random-runs.test.ts'])
}

/** Tests in these folders need no component. */
const PURE = ['config', 'dev', 'domain', 'workflows'].map(folder => join(CHECKOUT, 'test', folder, sep))
/** Files at a time. Most of the time a test of the components waits, so two of them share two cores well. */
const WORKERS = 2

async function runAndLeave(args: string[], interrupted: AbortSignal): Promise<TestOutcome> {
  try {
    return await runSuite(args, interrupted)
  } finally {
    await leave(HOME, logLine)
  }
}

async function runSuite(args: string[], interrupted: AbortSignal): Promise<TestOutcome> {
  const { pure = [], others = [] } = Object.groupBy(await listTests(args), file =>
    PURE.some(folder => file.startsWith(folder)) ? 'pure' : 'others',
  )
  const first = pure.length > 0 ? await runFiles(pure, args, {}, interrupted) : NONE
  return others.length > 0 ? sum(first, await runOnComponents(others, args, interrupted)) : first
}

const NONE: TestOutcome = { passed: 0, failed: 0, skipped: 0, ok: true }

const sum = (a: TestOutcome, b: TestOutcome): TestOutcome => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  ok: a.ok && b.ok,
})

/** Options of jest go to both runs; the files to run are known by now. */
function runFiles(files: string[], args: string[], env: Record<string, string>, interrupted: AbortSignal) {
  const options = args.filter((arg, i) => arg.startsWith('-') || args[i - 1] === '-t')
  const resultsFile = join(HOME, `test-results-${process.pid}.json`)
  return runJest({ args: [...options, '--runTestsByPath', ...files], workers: WORKERS, env, resultsFile, interrupted })
}

async function runOnComponents(files: string[], args: string[], interrupted: AbortSignal): Promise<TestOutcome> {
  interrupted.throwIfAborted()
  const stack = await commandComponents({ stays: false, interrupted })
  interrupted.throwIfAborted()
  const env = testEnvironment(stack.env)
  if (env['DATABASE_ADMIN_URL']) await ensureDatabase(env['DATABASE_ADMIN_URL'])
  await migrate(env, logLine)
  interrupted.throwIfAborted()
  return runFiles(files, args, env, interrupted)
}

/** The environment of the components, with places of its own for what is not production. */
export function testEnvironment(env: Record<string, string>): Record<string, string> {
  const changed: Record<string, string> = { TEMPORAL_NAMESPACE: 'test', LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn' }
  for (const key of ['DATABASE_URL', 'DATABASE_ADMIN_URL'])
    if (env[key]) changed[key] = withPath(env[key], '/ganglion_test')
  if (env['REDIS_URL']) changed['REDIS_URL'] = withPath(env['REDIS_URL'], '/1')
  return { ...env, ...changed }
}

function withPath(text: string, path: string): string {
  const url = new URL(text)
  url.pathname = path
  return url.href
}
