import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKOUT } from '../../../dev/machine/folders.ts'
import { nextFree } from '../../../dev/machine/ports.ts'
import { CLI } from '../clients/cli.ts'
import type { ConnectedStack } from '../stack/stack.ts'
import type { DemoWorkspace } from './demo-workspace.ts'
import { matchesOutput, readLines } from './matches-output.ts'
import { type CommandStep, readSteps } from './page.ts'
import { type CommandResult, openShell } from './shell.ts'

const COMMAND_LIMIT_MS = 120_000
/** Changes take a while to be found, delivered or displayed. */
const READ_LIMIT_MS = 30_000
const READ_EVERY_MS = 500

/** Commands that change nothing are repeated until they print the output on the page. */
const READS =
  /^(ganglion .*\b(browse|causes|deliveries|diagnose|get|history|list|runs|search|show)\b|ganglion-admin audit verify\b|curl (?!.*(-[dFTX]|--data|--form|--json|--request)\b))/s

/** Pages start servers on this port. Each run uses a free port instead. */
const SERVER_PORT = /\b4010\b/g

/**
 * Runs a page in a new workspace and an empty folder. Returns the differences between the outputs and the page as
 * text.
 */
export async function runPage(
  page: string,
  { env, baseUrl }: Pick<ConnectedStack, 'env' | 'baseUrl'>,
  { slug, api_key }: DemoWorkspace,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ganglion-docs-'))
  const shell = openShell(folder, {
    ...prepareFolder(folder, env),
    GANGLION_URL: baseUrl,
    GANGLION_API_KEY: api_key,
  })
  if (page === 'README.md') symlinkSync(join(CHECKOUT, 'dev'), join(folder, 'work/dev'))
  const port = String(await nextFree())
  try {
    const problems: string[] = []
    for (const step of readSteps(page)) {
      if (step.type === 'file') shell.writeFile(step.name, step.text.replaceAll(SERVER_PORT, port))
      else {
        const run = async () => {
          const { code, printed } = await shell.run(step.command.replaceAll(SERVER_PORT, port), COMMAND_LIMIT_MS)
          // Readers of the page work in the workspace that `npm start` creates.
          return { code, printed: printed.replaceAll(slug, 'demo').replaceAll(port, '4010') }
        }
        const problem = await runCommand(run, step)
        if (problem) problems.push(`${page}:${problem}`)
      }
    }
    return problems.join('\n')
  } finally {
    await shell.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the difference between the output and the page, if there is one. */
async function runCommand(
  run: () => Promise<CommandResult>,
  { line, command, output }: CommandStep,
): Promise<string | undefined> {
  const begun = Date.now()
  for (;;) {
    const { code, printed } = await run()
    if (output.length > 0 ? matchesOutput(output, printed) : code === 0) return undefined
    if (!READS.test(command) || Date.now() - begun > READ_LIMIT_MS) {
      const indent = (lines: string[]) => lines.map(each => `    ${each}`).join('\n')
      const shown = output.length > 0 ? `  the page shows:\n${indent(output)}\n` : ''
      return `${line}: ${command}\n${shown}  it ended with ${code} and printed:\n${indent(readLines(printed))}\n`
    }
    await sleep(READ_EVERY_MS)
  }
}

/** Adds the commands and packages that pages use next to the working folder. Returns the environment. */
function prepareFolder(folder: string, env: Record<string, string>): Record<string, string> {
  const bin = join(folder, 'bin')
  const packages = join(folder, 'node_modules/@ganglion')
  for (const made of [bin, packages]) mkdirSync(made, { recursive: true })
  symlinkSync(join(CHECKOUT, 'client'), join(packages, 'client'))
  symlinkSync(process.execPath, join(bin, 'node'))
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`)
  const commands = {
    ganglion: `exec ${quote(process.execPath)} ${quote(CLI)} "$@"`,
    // Runs with the service's settings. Other commands must not see them.
    'ganglion-admin': `cd ${quote(CHECKOUT)} && exec env ${settings.join(' ')} ${quote(process.execPath)} api/admin.ts "$@"`,
  }
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    NO_COLOR: '1',
    GANGLION_NO_UPDATE_CHECK: '1',
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
