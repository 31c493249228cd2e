import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { buildProgram } from '../../cli/src/program.ts'
import { forEach } from '../bench/for-each.ts'
import { createCli } from '../support/cli.ts'

const execute = promisify(execFile)
const cli = createCli()
afterAll(() => cli.remove())

interface Leaf {
  words: string[]
  command: Command
}

const listLeaves = (command: Command, words: string[] = []): Leaf[] =>
  command.commands
    .filter(child => child.name() !== 'complete')
    .flatMap(child => {
      const path = [...words, child.name()]
      return child.commands.length > 0 ? listLeaves(child, path) : [{ words: path, command: child }]
    })

const leaves = listLeaves(await buildProgram([], true))

/** The help of a command, with its example. */
function readHelp({ command }: Leaf): string {
  let text = ''
  command.configureOutput({ writeOut: part => (text += part) })
  command.outputHelp()
  return text
}

test('each command says what it does, with an example, and takes the global options', () => {
  expect(leaves.length).toBeGreaterThan(60)
  for (const leaf of leaves) {
    const help = readHelp(leaf)
    expect(leaf.command.description()).not.toBe('')
    expect(help).toContain(`Example:\n  ganglion ${leaf.words.join(' ')}`)
    for (const option of ['--json', '--profile', '--no-input', '--timeout']) expect(help).toContain(option)
  }
})

test('each command ends by itself where nobody can be asked, also in a CI, and prints nothing on stdout', async () => {
  const env = { CI: '1', GANGLION_URL: 'http://127.0.0.1:1', GANGLION_API_KEY: 'key' }
  const local = new Set(['logout', 'profile list', 'config path', 'mcp config', 'init', 'version', 'completion'])
  /** These end when their time is over, and this one reports what it found. */
  const watching = new Set(['events tail', 'inbox watch'])
  const problems: string[] = []
  await forEach(leaves, 4, async ({ words, command }) => {
    const name = words.join(' ')
    const args = command.registeredArguments.map(argument =>
      argument.name() === 'kind/slug'
        ? 'pathways/x'
        : argument.name() === 'method'
          ? 'GET'
          : argument.name() === 'path'
            ? '/v1/jobs'
            : argument.name() === 'host'
              ? 'json'
              : argument.name() === 'shell'
                ? 'bash'
                : 'x',
    )
    const needed = command.options.flatMap(option => (option.mandatory ? [String(option.long), 'x'] : []))
    const { code, stdout } = await cli.run([...words, ...args, ...needed, '--timeout', '2', '--json'], { env })
    const isRight = local.has(name)
      ? code === 0
      : watching.has(name)
        ? code === 0
        : [2, 5, 9, 75].includes(code) && (stdout === '' || name === 'doctor')
    if (!isRight) problems.push(`${name}: ${code} ${stdout}`)
  })
  expect(problems).toEqual([])
})

test('completion knows the commands, and its script is one that bash reads', async () => {
  const { stdout } = await cli.run(['complete', '--', 'jobs', ''])
  for (const verb of ['list', 'follow', 'cancel']) expect(stdout).toMatch(new RegExp(`^${verb}\\t`, 'm'))
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const script = await cli.run(['completion', shell])
    expect([script.code, script.stdout.length > 500]).toEqual([0, true])
    if (shell === 'bash') await execute('bash', ['-n', '-c', script.stdout])
  }
})
