import { CommanderError } from 'commander'
import { EXIT, describeFailure } from './shared/exit.ts'
import { buildProgram } from './program.ts'
import { note, paint } from './shared/terminal.ts'

/** Commander error codes that mean a successful exit. */
const HELP_CODES = new Set(['commander.helpDisplayed', 'commander.help', 'commander.version'])

const FLAGS = new Set(['--json', '--json-lines', '--quiet', '--yes', '--no-color', '--debug'])
const VALUES = /^--(profile|url|brain|timeout)(=|$)/

// A reader such as `head` may close the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.done)
})

const argv = process.argv.slice(2)
// Move global options first, because commander would otherwise confuse them with options such as `run --input`.
const args = moveGlobals(
  argv.filter(arg => arg !== '--no-input').map(arg => (arg === '--json=lines' ? '--json-lines' : arg)),
)
if (argv.length > args.length) process.env['GANGLION_NO_INPUT'] = '1'
const isJson = args.some(arg => arg === '--json' || arg === '--json-lines')
if (args.includes('--no-color')) process.env['NO_COLOR'] = '1'

// Set the exit code and let the process end naturally. process.exit would discard pipe output that is not written
// yet.
try {
  const program = await buildProgram(args)
  await program.parseAsync(args, { from: 'user' })
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = HELP_CODES.has(error.code) ? EXIT.done : EXIT.usage
  else fail(error)
}

function fail(error: unknown): void {
  const { exitCode, ...failure } = describeFailure(error)
  process.exitCode = exitCode
  if (failure.message === '') return
  if (isJson) note(JSON.stringify({ error: failure }))
  else {
    note(
      `${paint('red', 'error')}: ${failure.message}${failure.request_id ? ` (${failure.code}, request ${failure.request_id})` : ''}`,
    )
    const { details = [] } = failure
    // Omit the details if the message already names the only problem.
    const hidden = details.filter(({ message }) => details.length > 1 || !failure.message.includes(message))
    for (const { pointer, message } of hidden) note(`  ${pointer || '/'}: ${message}`)
  }
}

/** Moves options that precede the command, as in `ganglion --json jobs list`, after the command. */
function moveGlobals(all: string[]): string[] {
  let count = 0
  while (FLAGS.has(all[count] ?? '') || VALUES.test(all[count] ?? ''))
    count += VALUES.test(all[count] ?? '') && !all[count]?.includes('=') ? 2 : 1
  return [...all.slice(count), ...all.slice(0, count)]
}
