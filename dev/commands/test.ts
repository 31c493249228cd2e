import { availableParallelism } from 'node:os'
import { join, sep } from 'node:path'
import { ensureFrontends } from '../console/build.ts'
import { ensureDatabase } from '../components/postgres-database.ts'
import { ensureChromium } from '../machine/chromium.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { acquireLease } from '../stack/state/leases.ts'
import { openStateDir } from '../stack/state/state-dir.ts'
import { STATE_DIR, commandComponents } from '../stack/stack.ts'
import { releaseStack } from '../stack/state/release.ts'
import { installFormerVersion } from '../stack/former-version.ts'
import { logLine } from '../stack/log.ts'
import { migrate } from '../stack/migrate.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { listTests, runJest } from './jest.ts'
import type { FailedFile, JestRun, TestOutcome } from './jest.ts'

/**
 * `npm test [-- jest arguments]`: runs the test suite against real components. The suite uses its own database, Redis
 * database and Temporal namespace, so it doesn't affect a running `npm start`. The last line of output is `N passed,
 * N failed`.
 */
export const test: Command = async args => {
  openStateDir(STATE_DIR)
  const interrupted = untilInterrupted()
  acquireLease(STATE_DIR)
  const { passed, failed, skipped, ok, failures } = await runAndLeave(args, interrupted)
  for (const file of failures) process.stdout.write(listFailures('failed', file))
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
  return ok && failed === 0 ? 0 : 1
}

/** One line for each failed test of a file. `.ci/run` repeats these lines at its end. */
const listFailures = (outcome: 'failed' | 'passed alone', { path, failed }: FailedFile): string =>
  (failed.length > 0 ? failed : ['could not run']).map(name => `${outcome}: ${path}: ${name}\n`).join('')

/** Tests the given files of a folder, or the whole folder. */
export const testIn = (folder: string, args: string[]): Promise<number> =>
  test(args.some(arg => arg.startsWith(folder)) ? args : [folder, ...args])

const RANDOM_RUNS = 1_000

/**
 * `npm run test:random-runs [-- cases [seed]]`: executes random pathways on the real server, 1,000 by default. The
 * suite executes only a few.
 */
export const testRandomRuns: Command = async ([cases = String(RANDOM_RUNS), seed]) => {
  process.env['RANDOM_RUNS'] = cases
  if (seed !== undefined) process.env['RANDOM_RUNS_SEED'] = seed
  return test(['test/integration/runs/random-runs.test.ts'])
}

/**
 * `npm run test:long [-- jest arguments]`: runs tests that take too long for the suite. They kill workers more often.
 */
export const testLong: Command = async args => {
  process.env['WORKER_KILLS'] = '6'
  return test([LONG, `${FAULTS}runs/killed-worker.test.ts`, ...args])
}

/** `npm run test:faults [-- jest arguments]`: kills processes and components while runs are in progress. */
export const testFaults: Command = async args => testIn(FAULTS, args)

/**
 * `npm run test:restore [-- jest arguments]`: backs up a loaded installation, destroys it and restores it. Temporal runs
 * on Postgres, as in production.
 */
export const testRestore: Command = async args => {
  Object.assign(process.env, { TEMPORAL_ON_POSTGRES: 'true', TEMPORAL_SHARDS: '8' })
  return testIn(RESTORE, args)
}

/** `npm run test:stacks [-- jest arguments]`: runs tests that start an API and a worker with specific settings. */
export const testStacks: Command = async args => testIn(STACKS, args)

/**
 * `npm run test:upgrade [-- commit jest arguments]`: upgrades an installation of a former version with open runs, and
 * downgrades it. The default commit is the last release.
 */
export const testUpgrade: Command = async args => {
  const [first] = args
  const commit = first?.startsWith('-') ? undefined : first
  process.env['FORMER_VERSION'] = await installFormerVersion(commit, logLine)
  return test([UPGRADE, ...args.slice(commit === undefined ? 0 : 1)])
}

/**
 * `npm run test:docs [-- <part of a path> … jest options]`: runs the commands in the documentation pages and compares
 * the output.
 */
export const testDocs: Command = async args => {
  const { options = [], names = [] } = Object.groupBy(args, (arg, i) => (isOption(arg, i, args) ? 'options' : 'names'))
  // The title of a test is the path of its page or example.
  const selection = names.length > 0 ? ['-t', names.map(name => RegExp.escape(name)).join('|')] : []
  return test([DOCS, ...selection, ...options])
}

/** Folders of tests that `npm test` skips unless they are named. */
const DOCS = 'test/docs/'
const CHART = 'test/chart/'
const LONG = 'test/long/'
const RESTORE = 'test/restore/'
const FAULTS = 'test/faults/'
const STACKS = 'test/stacks/'
const UPGRADE = 'test/upgrade/'
export const IMAGE = 'test/image/'
export const MAIL = 'test/mail/'
const CONSOLE = 'test/console/'
const MORE_OF_CONSOLE = [`${CONSOLE}pages/`, `${CONSOLE}more/`]
const CONSOLE_FOLDERS = [CONSOLE, ...MORE_OF_CONSOLE]
const LEFT_OUT = [DOCS, CHART, LONG, RESTORE, FAULTS, STACKS, UPGRADE, IMAGE, MAIL, ...MORE_OF_CONSOLE]

/**
 * `npm run test:console [-- <start of a file name> … jest options]`: runs the web console tests in Chromium. By
 * default, runs all of them.
 */
export const testConsole: Command = async args => {
  const { options = [], names = [''] } = Object.groupBy(args, (arg, i) =>
    isOption(arg, i, args) ? 'options' : 'names',
  )
  return test([...names.flatMap(name => CONSOLE_FOLDERS.map(folder => folder + name)), ...options])
}

const TRIGGER_KILLS = 40
const TRIGGER_CROWD = 1_000
const TRIGGER_SECONDS = 60

/**
 * `npm run test:triggers [-- kills [schedules [seconds]]]`: kills each process and component in turn, while many
 * schedules become due within the given number of seconds.
 */
export const testTriggers: Command = async ([
  kills = TRIGGER_KILLS,
  crowd = TRIGGER_CROWD,
  seconds = TRIGGER_SECONDS,
]) => {
  Object.assign(process.env, { TRIGGER_KILLS: kills, TRIGGER_CROWD: crowd, TRIGGER_SPREAD: seconds })
  return test([`${FAULTS}triggers/triggers.test.ts`, `${LONG}trigger-events.test.ts`])
}

/** Folders whose tests need no components, or only their own. */
const PURE = ['chart', 'clients/cli', 'clients/client', 'config', 'dev', 'domain', 'restore', 'workflows'].map(
  resolveTestFolder,
)
/** Number of parallel test files per core. A test file spends a third of its time waiting. */
const WORKERS_PER_CORE = 1.5

function resolveTestFolder(name: string): string {
  return join(CHECKOUT, 'test', name, sep)
}

async function runAndLeave(args: string[], interrupted: AbortSignal): Promise<TestOutcome> {
  try {
    return await runSuite(args, interrupted)
  } finally {
    await releaseStack(STATE_DIR, logLine)
  }
}

async function runSuite(args: string[], interrupted: AbortSignal): Promise<TestOutcome> {
  const isIn = (file: string, folders: string[]) => folders.some(folder => file.startsWith(folder))
  const unnamed = LEFT_OUT.filter(folder => !args.some(arg => arg.includes(folder)))
  const files = (await listTests(args)).filter(file => !unnamed.some(folder => file.includes(folder)))
  const { pure = [], others = [] } = Object.groupBy(files, file => (isIn(file, PURE) ? 'pure' : 'others'))
  // The components start while the tests that need no components are running.
  const prepared = others.length > 0 ? prepareComponents(others, interrupted) : undefined
  prepared?.catch(() => undefined)
  const cores = availableParallelism()
  // A restore test measures its own installation.
  const pureWorkers = pure.some(file => file.includes(RESTORE)) ? 1 : cores
  const first = await runFiles(pure, args, { name: 'pure', workers: pureWorkers, env: {}, interrupted })
  if (!prepared) return first
  const env = await prepared
  const workers = Math.ceil(cores * WORKERS_PER_CORE)
  return sum([first, await runFiles(others, args, { name: 'components', workers, env, interrupted })])
}

const sum = (outcomes: TestOutcome[]): TestOutcome =>
  outcomes.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    ok: a.ok && b.ok,
    failures: [...a.failures, ...b.failures],
  }))

/** Whether an argument is a Jest option or the value of one. */
const isOption = (arg: string, i: number, args: string[]): boolean => arg.startsWith('-') || args[i - 1] === '-t'

/** Runs only these files, with the Jest options from the arguments. Does nothing if there are no files. */
async function runFiles(
  files: string[],
  args: string[],
  run: Pick<JestRun, 'workers' | 'env' | 'interrupted'> & { name: string },
): Promise<TestOutcome> {
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0, ok: true, failures: [] }
  const options = args.filter(isOption)
  const resultsFile = join(STATE_DIR, `test-results-${process.pid}-${run.name}.json`)
  const execute = (paths: string[], workers: number) =>
    runJest({ ...run, workers, args: [...options, '--runTestsByPath', ...paths], resultsFile })
  const outcome = await execute(files, run.workers)
  const failed = outcome.failures.map(({ path }) => path)
  if (failed.length === 0 || failed.length > MAX_REPEATED || run.interrupted.aborted) return outcome
  return repeat(outcome, await execute(failed, 1))
}

/**
 * The number of failed test files that run again, one at a time. On a busy machine a limit of the service can pass in
 * one of thousands of tests. Each such file is printed, so that a defect isn't hidden.
 */
const MAX_REPEATED = Number(process.env['REPEAT_FAILED'] ?? 0)

/** Replaces the results of the failed files with those of the second run. */
function repeat(first: TestOutcome, second: TestOutcome): TestOutcome {
  const stillFailed = new Set(second.failures.map(({ path }) => path))
  for (const file of first.failures)
    if (!stillFailed.has(file.path)) process.stdout.write(listFailures('passed alone', file))
  const count = (of: (file: FailedFile) => number) => first.failures.reduce((total, file) => total + of(file), 0)
  return {
    passed: first.passed - count(({ passed }) => passed) + second.passed,
    failed: second.failed,
    skipped: first.skipped - count(({ skipped }) => skipped) + second.skipped,
    ok: second.ok,
    failures: second.failures,
  }
}

/** Starts the components that these test files need, and returns the settings for them. */
async function prepareComponents(files: string[], interrupted: AbortSignal): Promise<Record<string, string>> {
  interrupted.throwIfAborted()
  const stack = await commandComponents({ stays: false, interrupted })
  interrupted.throwIfAborted()
  // Tests also run on busy machines.
  const env: Record<string, string> = { ...testEnvironment(stack.env), SEARCH_TIMEOUT_SECONDS: '30' }
  if (env['DATABASE_ADMIN_URL']) await ensureDatabase(env['DATABASE_ADMIN_URL'])
  await migrate(env, logLine)
  if (files.some(file => file.includes(CONSOLE))) Object.assign(env, await prepareBrowser())
  interrupted.throwIfAborted()
  return env
}

/** Builds the console and the widget, and returns the settings for browser tests. */
export async function prepareBrowser(): Promise<Record<string, string>> {
  const [CHROMIUM] = await Promise.all([
    ensureChromium(message => logLine('console', message)),
    ensureFrontends(logLine),
  ])
  return { CHROMIUM }
}

/** Returns the component settings, changed to a database, a Redis database and a namespace for tests. */
export function testEnvironment(env: Record<string, string>): Record<string, string> {
  const overrides: Record<string, string> = {
    TEMPORAL_NAMESPACE: 'test',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  }
  for (const key of ['DATABASE_URL', 'DATABASE_ADMIN_URL'])
    if (env[key]) overrides[key] = withPath(env[key], '/ganglion_test')
  if (env['REDIS_URL']) overrides['REDIS_URL'] = withPath(env['REDIS_URL'], '/1')
  return { ...env, ...overrides }
}

function withPath(text: string, path: string): string {
  const url = new URL(text)
  url.pathname = path
  return url.href
}
