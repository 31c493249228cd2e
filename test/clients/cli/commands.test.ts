import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { buildProgram } from '../../../cli/src/program.ts'
import { createCli } from '../../support/clients/cli.ts'
import { startDocumentedService } from './documented-service.ts'
import type { LeafOutcome } from './leaves-main.ts'
import { WATCHING } from './watching.ts'

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

/** Returns the help of a command, with its example. */
function readHelp({ command }: Leaf): string {
  let text = ''
  command.configureOutput({ writeOut: part => (text += part) })
  command.outputHelp()
  return text
}

const MAIN = fileURLToPath(new URL('leaves-main.ts', import.meta.url))

/** Runs the example of each command in CI, with a terminal or without stdin. */
async function runLeaves(url: string, atOnce: number, seconds: number, isAtTerminal = false): Promise<LeafOutcome[]> {
  const file = join(cli.folder, 'outcomes.json')
  const env = { ...cli.env, GANGLION_URL: url, GANGLION_API_KEY: 'key', GANGLION_SESSION: 'gns_x', CI: '1' }
  const command = [process.execPath, MAIN, file, String(atOnce), String(seconds)]
  const [program = '', ...args] = isAtTerminal ? ['script', '-qec', command.join(' '), '/dev/null'] : command
  const child = spawn(program, args, { cwd: cli.folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let problems = ''
  child.stderr.on('data', part => (problems += String(part)))
  const code = await new Promise(resolve => child.on('close', resolve))
  expect([code, problems]).toEqual([0, ''])
  return JSON.parse(readFileSync(file, 'utf8')) as LeafOutcome[]
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('each command has a description, an example and the global options', () => {
  expect(leaves.length).toBeGreaterThan(110)
  for (const leaf of leaves) {
    const help = readHelp(leaf)
    expect(leaf.command.description()).not.toBe('')
    expect(leaf.command.options.filter(({ description, hidden }) => description === '' && !hidden)).toEqual([])
    expect(help).toContain(`Example:\n  ganglion ${leaf.words.join(' ')}`)
    for (const option of ['--json', '--profile', '--no-input', '--timeout']) expect(help).toContain(option)
  }
})

/** These commands require a person at a terminal. */
const FOR_PEOPLE = new Set(['login', 'chat'])

test('the example of each command sends a valid request, and its response is printed as JSON', async () => {
  const service = await startDocumentedService()
  const outcomes = await runLeaves(service.url, 1, 60)
  await service.close()
  expect(outcomes.map(({ name }) => name)).toEqual(leaves.map(({ words }) => words.join(' ')))
  expect(service.problems).toEqual([])
  const wrong = outcomes.filter(({ name, code, stdout }) => {
    if (FOR_PEOPLE.has(name)) return code !== 2
    // The documented service returns different values from the files.
    if (name === 'diff') return code !== 1 || !isJson(stdout)
    const documents = WATCHING.has(name) ? stdout.trim().split('\n') : [stdout]
    return code !== 0 || !documents.every(isJson)
  })
  expect(wrong).toEqual([])
})

/** These commands need no service, or report that none is available. */
const LOCAL =
  /^(logout|profile .*|config .*|mcp config|init|version|completion|doctor|docs ingest|inbox verify-evidence)$/

test.each([
  ['no terminal', false],
  ['a CI terminal', true],
])('with %s each command ends without a prompt', async (_, isAtTerminal) => {
  const outcomes = await runLeaves('http://127.0.0.1:1', 40, 1, isAtTerminal)
  expect(outcomes).toHaveLength(leaves.length)
  const wrong = outcomes.filter(({ name, code, stdout }) =>
    LOCAL.test(name) || WATCHING.has(name) ? false : ![2, 9, 75].includes(code) || stdout !== '',
  )
  expect(wrong).toEqual([])
})

test('completion lists the commands, and its script is valid in bash', async () => {
  const { stdout } = await cli.run(['complete', '--', 'jobs', ''])
  for (const verb of ['list', 'follow', 'cancel']) expect(stdout).toMatch(new RegExp(`^${verb}\\t`, 'm'))
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const script = await cli.run(['completion', shell])
    expect([script.code, script.stdout.length > 500]).toEqual([0, true])
    if (shell === 'bash') await execute('bash', ['-n', '-c', script.stdout])
  }
})

test.each([
  ['fields: { id: 7615917337495251231 }', '7615917337495251231'],
  ['list: [1, -9007199254740993]', '-9007199254740993'],
  ['id: 0x7fffffffffffffff', '0x7fffffffffffffff'],
  ['factor: 1e400', '1e400'],
  ['limit: .inf', '.inf'],
  ['9007199254740993: key', '9007199254740993'],
])('a number that JSON cannot represent is rejected with its file and line number: %s', async (line, number) => {
  const file = join(cli.folder, 'numbers.yaml')
  writeFileSync(file, `kind: skill\nslug: first\n---\nkind: skill\nslug: second\n${line}\n`)
  const env = { GANGLION_URL: 'http://127.0.0.1:1', GANGLION_API_KEY: 'key' }
  expect(await cli.run(['apply', '-f', file], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${file}: line 6: the number ${number} would lose digits`),
  })
})
