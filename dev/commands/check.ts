import { join } from 'node:path'
import { writeTypes } from '../client/generated.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { CommandError, run } from '../machine/shell.ts'
import type { Command } from './command.ts'

const BIN = join(CHECKOUT, 'node_modules/.bin')

/** Resolves with what is wrong; undefined for nothing. */
type Step = () => Promise<string | undefined>

/** Checks that must pass before a change lands. The import rules between folders are rules of the linter. */
const STEPS: [name: string, step: Step][] = [
  ['generated client', findStaleClient],
  ['types', runTool('tsc', '-p', '.', '--noEmit')],
  ['types of console', runTool('tsc', '-p', 'console', '--noEmit')],
  ['types of client', runTool('tsc', '-p', 'client', '--noEmit')],
  ['lint and imports', runTool('oxlint', '--type-aware', '--deny-warnings')],
  ['format', runTool('prettier', '--check', '--log-level', 'warn', '.')],
  ['unused code', runTool('knip', '--no-progress')],
]

function runTool(tool: string, ...args: string[]): Step {
  return () =>
    run(join(BIN, tool), args, { cwd: CHECKOUT }).then(
      () => undefined,
      (error: unknown) => (error instanceof CommandError ? error.output || error.message : String(error)),
    )
}

/** The client has a copy of the OpenAPI document, its types and its methods. */
async function findStaleClient(): Promise<string | undefined> {
  const stale = await writeTypes()
  return stale.length > 0
    ? `These are not what the routes declare. Run npm run client:generate.\n${stale.join('\n')}`
    : undefined
}

/** Runs each step, prints one line for it, and ends at the first bad one with all it printed. */
export const check: Command = async () => {
  for (const [name, step] of STEPS) {
    const began = Date.now()
    const output = await step()
    const seconds = `${((Date.now() - began) / 1000).toFixed(1)} s`
    process.stdout.write(`${output === undefined ? 'ok   ' : 'FAIL '} ${name.padEnd(16)} ${seconds}\n`)
    if (output !== undefined) {
      process.stdout.write(`\n${output.trim()}\n`)
      return 1
    }
  }
  return 0
}
