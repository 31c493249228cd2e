import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findForbiddenLicenses, type Lock } from '../../deploy/licenses/policy.ts'
import { writeTypes } from '../client/generated.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { CommandError, run } from '../machine/shell.ts'
import { lintNames } from '../prose/names.ts'
import { lintProse } from '../prose/lint.ts'
import { lintVersions } from '../release/versions.ts'
import type { Command } from './command.ts'

const BIN = join(CHECKOUT, 'node_modules/.bin')

/** Resolves with the error output, or with undefined if the step succeeds. */
type Step = () => Promise<string | undefined>

/**
 * Checks that must pass before a change is merged. The linter also enforces which folders may import from each other.
 */
const STEPS: [name: string, step: Step][] = [
  ['generated client', findStaleClient],
  ['format', runTool('prettier', '--check', '--log-level', 'warn', '.')],
  ['types', runTool('tsc', '-p', '.', '--noEmit')],
  ['types of console', runTool('tsc', '-p', 'console', '--noEmit')],
  ['types of client', runTool('tsc', '-p', 'client', '--noEmit')],
  ['types of widget', runTool('tsc', '-p', 'client/widget')],
  ['lint and imports', runTool('oxlint', '--type-aware', '--deny-warnings')],
  ['unused code', runTool('knip', '--no-progress')],
  ['wording', lintProse],
  ['names', () => Promise.resolve(lintNames())],
  ['spelling', runTool('cspell', 'lint', '--no-progress', '--no-summary', '--dot')],
  ['Markdown and links', runTool('markdownlint-cli2')],
  ['versions', () => Promise.resolve(lintVersions())],
  ['licenses', () => Promise.resolve(lintLicenses())],
  ['commits', lintCommits],
]

/** The first commit to lint. Earlier commits don't have conventional subjects. */
const FIRST_LINTED = '6c7e801b'

/** Lints the commits since FIRST_LINTED. In a shallow clone, lints only the last commit. */
async function lintCommits(): Promise<string | undefined> {
  const isKnown = await run('git', ['cat-file', '-e', FIRST_LINTED], { cwd: CHECKOUT }).then(
    () => true,
    () => false,
  )
  return runTool('commitlint', ...(isKnown ? ['--from', FIRST_LINTED] : ['--last']))()
}

function lintLicenses(): string | undefined {
  const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')) as Lock
  return findForbiddenLicenses(lock).join('\n') || undefined
}

function runTool(tool: string, ...args: string[]): Step {
  return () =>
    run(join(BIN, tool), args, { cwd: CHECKOUT }).then(
      () => undefined,
      (error: unknown) => (error instanceof CommandError ? error.output || error.message : String(error)),
    )
}

/** Returns the client files that are out of date with the routes: the OpenAPI document, its types and its methods. */
async function findStaleClient(): Promise<string | undefined> {
  const stale = await writeTypes()
  return stale.length > 0
    ? `These files don't match the routes. Run npm run client:generate.\n${stale.join('\n')}`
    : undefined
}

/** Runs steps side by side, and prints one line for each. Starts no more steps after a failure. */
export const check: Command = async () => {
  const [first, ...others] = STEPS
  const failures: string[] = []

  async function runNext(steps: Iterable<(typeof STEPS)[number]>): Promise<void> {
    for (const [name, step] of steps) {
      if (failures.length > 0) return
      const began = Date.now()
      const output = await step()
      const seconds = `${((Date.now() - began) / 1000).toFixed(1)} s`
      process.stdout.write(`${output === undefined ? 'ok   ' : 'FAIL '} ${name.padEnd(16)} ${seconds}\n`)
      if (output !== undefined) failures.push(output)
    }
  }

  // The other steps read the generated files.
  if (first) await runNext([first])
  const waiting = others.values()
  await Promise.all([runNext(waiting), runNext(waiting)])
  for (const output of failures) process.stdout.write(`\n${output.trim()}\n`)
  return failures.length > 0 ? 1 : 0
}
