import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { CHECKOUT } from '../machine/folders.ts'
import { killProcess, stopProcess } from '../machine/process.ts'
import { identify } from '../machine/process-table.ts'

const results = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      /** `failed` also for a test file that could not run at all, which has no assertion results. */
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
})

const execute = promisify(execFile)
const JEST = join(CHECKOUT, 'node_modules/jest/bin/jest.js')
/** Jest passes this option to test file processes. */
const TEST_PROCESS = ['--import', join(CHECKOUT, 'test/support/test-process.mjs')]
/** Jest normally exits after writing its results. If it keeps running, a test left something open. */
const LINGER_MS = 15_000

export interface TestOutcome {
  passed: number
  failed: number
  skipped: number
  ok: boolean
  failures: FailedFile[]
}

/** A test file in which something failed. */
export interface FailedFile {
  path: string
  passed: number
  /** The names of the failed tests. Empty if the file could not run at all. */
  failed: string[]
  skipped: number
}

export interface JestRun {
  args: string[]
  /** Number of test files that run in parallel, each in its own process. */
  workers: number
  env: Record<string, string>
  resultsFile: string
  interrupted: AbortSignal
}

/** Lists the test files that Jest would run for these arguments. */
export async function listTests(args: string[]): Promise<string[]> {
  const { stdout } = await execute(process.execPath, [JEST, '--listTests', '--json', ...args], { cwd: CHECKOUT })
  return z.array(z.string()).parse(JSON.parse(stdout))
}

/** Runs Jest and counts the results. A test file that could not run counts as failed. */
export async function runJest({ args, workers, env, resultsFile, interrupted }: JestRun): Promise<TestOutcome> {
  rmSync(resultsFile, { force: true })
  const child = spawn(
    process.execPath,
    [...TEST_PROCESS, JEST, `--maxWorkers=${workers}`, '--json', `--outputFile=${resultsFile}`, ...args],
    {
      cwd: CHECKOUT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  // Test file processes don't exit automatically when Jest exits.
  interrupted.addEventListener('abort', () => {
    const running = identify(child.pid ?? 0)
    if (running) void stopProcess(running, 'SIGTERM', LINGER_MS)
  })
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => resolve(code ?? 1))
  })
  const code = await Promise.race([exitCode, lingering(resultsFile, exitCode)])
  if (code === 'lingers') {
    process.stderr.write('Jest did not end after its last test. A test left something open.\n')
    const running = identify(child.pid ?? 0)
    if (running) await killProcess(running)
  }
  const outcome = count(resultsFile, code === 0)
  rmSync(resultsFile, { force: true })
  return outcome
}

/** Resolves with `lingers` if Jest is still running some time after it wrote its results. */
async function lingering(resultsFile: string, exitCode: Promise<number>): Promise<'lingers'> {
  const over = new AbortController()
  const stop = () => over.abort()
  exitCode.then(stop, stop)
  while (!over.signal.aborted && !existsSync(resultsFile)) await sleep(500)
  await sleep(LINGER_MS, undefined, { signal: over.signal }).catch(() => {})
  return 'lingers'
}

function count(resultsFile: string, ok: boolean): TestOutcome {
  if (!existsSync(resultsFile)) return { passed: 0, failed: 1, skipped: 0, ok: false, failures: [] }
  const summary = results.parse(JSON.parse(readFileSync(resultsFile, 'utf8')))
  const failures = summary.testResults.filter(({ status }) => status === 'failed').map(toFailedFile)
  return {
    passed: summary.numPassedTests,
    failed: failures.reduce((total, file) => total + countFailed(file), 0),
    skipped: summary.numPendingTests,
    ok,
    failures,
  }
}

function toFailedFile({ name, assertionResults }: z.infer<typeof results>['testResults'][number]): FailedFile {
  const { passed = [], failed = [], pending = [] } = Object.groupBy(assertionResults, ({ status }) => status)
  const failedNames = failed.map(({ fullName }) => fullName)
  return { path: relative(CHECKOUT, name), passed: passed.length, failed: failedNames, skipped: pending.length }
}

/** A test file that could not run at all counts as one failed test. */
const countFailed = ({ failed }: FailedFile): number => Math.max(failed.length, 1)
