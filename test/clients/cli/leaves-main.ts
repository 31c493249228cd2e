import { AsyncLocalStorage } from 'node:async_hooks'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import canonicalize from 'canonicalize'
import type { Command } from 'commander'
import { describeFailure } from '../../../cli/src/shared/exit.ts'
import { buildProgram } from '../../../cli/src/program.ts'
import { saveProfile } from '../../../cli/src/shared/settings.ts'
import { forEach } from '../../bench/support/for-each.ts'
import { UNANSWERED } from './unanswered-evidence.ts'
import { WATCHING } from './watching.ts'

/**
 * Runs the first example of each command with --json, in the working folder and in this process, and writes the
 * outcomes to a file: `node leaves-main.ts <file> <commands at a time> <seconds per command>`. The process does not
 * end if a command prompts or hangs.
 */

export interface LeafOutcome {
  name: string
  code: number
  stdout: string
  stderr: string
}

interface Output {
  stdout: string
  stderr: string
}

const [file = '', atOnce = '1', seconds = '1'] = process.argv.slice(2)
const outputs = new AsyncLocalStorage<Output>()

/** Commands run in parallel, so the output of each is stored separately. */
for (const stream of ['stdout', 'stderr'] as const) {
  const write = process[stream].write.bind(process[stream]) as (text: unknown) => boolean
  process[stream].write = (text: unknown) => {
    const output = outputs.getStore()
    if (!output) return write(text)
    output[stream] += String(text)
    return true
  }
}

const listLeaves = (command: Command, words: string[] = []): [name: string, command: Command][] =>
  command.commands
    .filter(child => child.name() !== 'complete')
    .flatMap(child => {
      const path = [...words, child.name()]
      return child.commands.length > 0 ? listLeaves(child, path) : [[path.join(' '), child]]
    })

/** Returns the words of the first example in the help, up to a pipe or the next command. */
function readExample(command: Command): string[] {
  let help = ''
  command.configureOutput({ writeOut: part => (help += part) })
  command.outputHelp()
  const [, line = ''] = /Example:\n {2}ganglion (.*)/.exec(help) ?? []
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  const end = words.findIndex(word => ['|', '>', '&&'].includes(word))
  return (end < 0 ? words : words.slice(0, end)).filter(word => !word.startsWith('--json'))
}

/** Creates the files that the examples use. */
function prepare(): void {
  for (const folder of ['ganglion', 'handbook', 'flows/pathways']) mkdirSync(folder, { recursive: true })
  const skill = 'kind: skill\nslug: greeting\ntitle: Greeting\ninstructions: Greet.\n'
  writeFileSync('ganglion/skill.yaml', skill)
  writeFileSync('handbook/leave.txt', 'Thirty days.')
  writeFileSync('meeting.mp3', 'ID3')
  writeFileSync('lease.pdf', '%PDF-1.7')
  writeFileSync(
    'flows/pathways/hello.yaml',
    'title: Hello\ndefinition: { schema: pathway/1, nodes: [{ id: a, type: end }], edges: [] }\n',
  )
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const value = sign(null, Buffer.from(canonicalize(UNANSWERED) ?? ''), privateKey).toString('base64')
  const signature = { algorithm: 'Ed25519', key_id: 'k', value }
  writeFileSync('evidence.json', JSON.stringify({ document: UNANSWERED, shown: null, texts: [], signature }))
  writeFileSync('evidence.pem', publicKey.export({ type: 'spki', format: 'pem' }))
  for (const kind of ['pathway', 'neuron', 'receptor', 'skill', 'reflex', 'trigger'])
    writeFileSync(`my-${kind}.yaml`, CREATED[kind] ?? skill.replace('skill', kind))
}

const DEFINITION = 'definition: { schema: pathway/1, nodes: [{ id: a, type: end }], edges: [] }\n'
const CREATED: Record<string, string> = {
  pathway: `title: Mine\n${DEFINITION}`,
  reflex: 'title: Mine\nsource: builtin\n',
  receptor: 'title: Mine\ntarget: { type: neuron, ref: helper }\n',
  trigger:
    'title: Mine\ntrigger_type: schedule\nschedule: { cron: "0 7 * * *" }\ntarget: { type: pathway, ref: hello }\n',
}

async function runLeaf([name, command]: [string, Command]): Promise<LeafOutcome> {
  saveProfile('work', { url: 'http://127.0.0.1:1' }, { apiKey: 'key' })
  const args = [...readExample(command), '--json', '--yes']
  const output = { stdout: '', stderr: '' }
  const code = await outputs.run(output, async () => {
    try {
      const program = await buildProgram(args)
      const timeout = args.includes('--timeout') ? [] : ['--timeout', WATCHING.has(name) ? '1' : seconds]
      await program.parseAsync([...args, ...timeout], { from: 'user' })
      return 0
    } catch (error) {
      const { exitCode, message } = describeFailure(error)
      process.stderr.write(message)
      return exitCode
    }
  })
  return { name, code, ...output }
}

prepare()
const outcomes: LeafOutcome[] = []
await forEach(listLeaves(await buildProgram([], true)), Number(atOnce), async leaf => {
  outcomes.push(await runLeaf(leaf))
})
writeFileSync(file, JSON.stringify(outcomes))
