import { fstatSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { CliError, EXIT, usageError } from './exit.ts'

type Style = Parameters<typeof styleText>[0]

/** Styles text on stderr, depending on NO_COLOR, FORCE_COLOR and the output type. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stderr })

/** Writes a line for people to stderr. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`)

export const isSet = (name: string): boolean => !['', '0', 'false'].includes(process.env[name] ?? '')

/**
 * Returns whether the command can prompt a person: only on a terminal, and not in CI, even if CI provides a terminal.
 */
export const canAsk = (): boolean =>
  process.stdin.isTTY && process.stderr.isTTY && !isSet('CI') && !isSet('GANGLION_NO_INPUT')

/** Reads stdin to its end. Throws if stdin is not a pipe or a file, because no input would arrive. */
export const readStdin = async (): Promise<string> => (await readStdinBytes()).toString('utf8')

export async function readStdinBytes(): Promise<Buffer<ArrayBuffer>> {
  const stat = fstatSync(0)
  if (!stat.isFIFO() && !stat.isFile() && !stat.isSocket()) throw usageError('"-" needs a pipe or a file as stdin')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export interface Prompt {
  /** Resolves with the answer. Rejects on Ctrl-C or Ctrl-D. */
  ask(question: string): Promise<string>
  /** Like `ask`, but hides the typed text. */
  askSecret(question: string): Promise<string>
  close(): void
}

/** Opens a prompt on the terminal. Questions go to stderr. */
export function openPrompt(): Prompt {
  let isHidden = false
  const output = process.stderr
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  // readline cannot hide input, so its echo is discarded.
  const internals = terminal as unknown as { _writeToOutput?: (text: string) => void }
  const write = internals._writeToOutput?.bind(terminal)
  internals._writeToOutput = text => (isHidden ? undefined : write?.(text))
  const interruption = new Promise<never>((_, reject) => {
    const leave = () => reject(new CliError(EXIT.interrupted, 'Stopped without an answer'))
    terminal.once('SIGINT', leave)
    terminal.once('close', leave)
  })
  interruption.catch(() => undefined)
  return {
    ask: question => Promise.race([terminal.question(question), interruption]),
    async askSecret(question) {
      output.write(question)
      isHidden = true
      const answer = await Promise.race([terminal.question(''), interruption]).finally(() => (isHidden = false))
      output.write('\n')
      return answer
    },
    close: () => terminal.close(),
  }
}
