import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { CommandFailed, run } from '../machine/shell.ts'
import type { Command } from './command.ts'

const BIN = join(CHECKOUT, 'node_modules/.bin')

/** Checks that must pass before a change lands. The import rules between folders are rules of the linter. */
const STEPS: [name: string, tool: string, args: string[]][] = [
  ['types', 'tsc', ['-p', '.', '--noEmit']],
  ['lint and imports', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['unused code', 'knip', ['--no-progress']],
]

/** Runs each step, prints one line for it, and ends at the first bad one with all it printed. */
export const check: Command = async () => {
  for (const [name, tool, args] of STEPS) {
    const began = Date.now()
    const output = await run(join(BIN, tool), args, { cwd: CHECKOUT }).then(
      () => undefined,
      (error: unknown) => (error instanceof CommandFailed ? error.output || error.message : String(error)),
    )
    const seconds = `${((Date.now() - began) / 1000).toFixed(1)} s`
    process.stdout.write(`${output === undefined ? 'ok   ' : 'FAIL '} ${name.padEnd(16)} ${seconds}\n`)
    if (output !== undefined) {
      process.stdout.write(`\n${output.trim()}\n`)
      return 1
    }
  }
  return 0
}
