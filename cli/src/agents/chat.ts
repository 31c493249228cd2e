import type { Ganglion } from '@ganglion/client'
import type { Command } from 'commander'
import { attachFiles, fileOption } from '../documents/files.ts'
import { addCommand, type CommandSpec, type Context, option, readValue } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { follow } from '../runs/follow.ts'
import { openPrompt } from '../shared/terminal.ts'

/** Adds the `chat` command. */
export function add(program: Command): void {
  addCommand<{ trace?: string; message?: string; file?: string[]; receptor?: boolean }>(program, {
    name: 'chat <neuron>',
    example:
      'chat helper\nchat helper --message "How long may parents stay at home?"\nchat helper --file lease.pdf --message "How much is the rent?"',
    options: [
      option('--message <text>', 'send a single message: text, @file, or - for stdin'),
      fileOption,
      option('--trace <id>', 'continue this thread'),
      option('--receptor', 'use a receptor instead of a neuron'),
    ],
    run: async (context, [name = ''], { trace = 'new', message, file, receptor }) => {
      const client = await context.client()
      const target = receptor ? { receptor: name } : { neuron: name }
      if (message === undefined && !context.canAsk) throw usageError('No terminal to read input from. Use --message')
      const text = message === undefined ? undefined : await readValue(message)
      const attached = await attachFiles(client, file)
      if (text === undefined) await converse(context, client, trace, { ...target, ...attached })
      else await say(context, client, trace, { ...target, ...attached, message: text })
    },
  })
}

/** `neurons invoke`: sends a single message. */
export const invokeCommand: CommandSpec<{ trace?: string; file?: string[] }> = {
  name: 'invoke <neuron> <message>',
  summary: 'Send one message to a neuron (agent) and print its answer',
  example: 'neurons invoke helper "Summarize the handbook"\necho "Summarize this" | ganglion neurons invoke helper -',
  options: [fileOption, option('--trace <id>', 'continue this thread')],
  run: async (context, [neuron = '', message = ''], { trace, file }) => {
    const client = await context.client()
    const text = await readValue(message)
    const attached = await attachFiles(client, file)
    const run = await client.neurons.run(neuron, { message: text, ...attached, ...(trace && { trace_id: trace }) })
    await showAnswer(context, client, run)
  },
}

type Target = { receptor: string } | { neuron: string }
type Attached = { files?: string[] }

/** Sends the lines that a person enters. The files are attached to the first message. */
async function converse(
  context: Context,
  client: Ganglion,
  trace: string,
  { files, ...target }: Target & Attached,
): Promise<void> {
  let current = trace
  let attached: Attached = { ...(files && { files }) }
  for (;;) {
    const prompt = openPrompt()
    const line = await prompt.ask('> ').catch(() => undefined)
    prompt.close()
    if (line === undefined) return context.say(`\nContinue with --trace ${current}`)
    if (line.trim() === '') continue
    current = await say(context, client, current, { ...target, ...attached, message: line })
    attached = {}
  }
}

/** Sends a message. Resolves with the thread id. */
async function say(
  context: Context,
  client: Ganglion,
  trace: string,
  message: Target & Attached & { message: string },
): Promise<string> {
  const run = await client.chat.run(trace, message)
  await showAnswer(context, client, run)
  context.say(`thread ${run.traceId}`)
  return run.traceId
}

/** Prints the answer. The text is the command's output, so it goes to stdout as it arrives. */
async function showAnswer(context: Context, client: Ganglion, run: ReturnType<Ganglion['jobs']['run']>): Promise<void> {
  let isOpen = false
  const writeText = (text: string) => {
    isOpen = true
    process.stdout.write(text)
  }
  const result = await follow(context, client, run, context.format === 'text' ? { writeText } : {})
  if (context.format === 'json') await context.print(result, String)
  else if (context.format === 'text') process.stdout.write(isOpen ? '\n' : `${formatOutput(result)}\n`)
}

const formatOutput = (result: unknown): string => {
  const { output } = (result ?? {}) as { output?: string }
  return output ?? JSON.stringify(result)
}
