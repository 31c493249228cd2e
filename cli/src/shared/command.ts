import { statSync } from 'node:fs'
import type { Ganglion } from '@ganglion/client'
import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { EXIT, CliError, usageError } from './exit.ts'
import { type Column, type Format, renderTable, write, writeJson, writeLine } from './output.ts'
import { checkFile, type Overrides, resolveSettings, type Settings } from './settings.ts'
import { canAsk, isSet, note, openPrompt } from './terminal.ts'

/** The options that every command takes. */
export interface GlobalOptions extends Overrides {
  json?: boolean
  jsonLines?: boolean
  quiet?: boolean
  yes?: boolean
  debug?: boolean
  timeout?: number
}

/** A list as the client gives it. */
export type List<T> = AsyncIterable<T> & PromiseLike<{ total: number }>

interface PrintOptions<T> extends ListOptions {
  /** Leaves out elements. */
  keep?: (item: T) => boolean
}

/** What a command works with. */
export class Context {
  readonly options: GlobalOptions
  readonly format: Format
  #settings: Settings | undefined
  #client: Ganglion | undefined
  #stopCheck: (() => void) | undefined

  constructor(options: GlobalOptions) {
    this.options = options
    this.format = options.jsonLines ? 'lines' : options.json ? 'json' : 'text'
  }

  get settings(): Settings {
    return (this.#settings ??= resolveSettings(this.options))
  }

  /** Whether a person can be asked. */
  get canAsk(): boolean {
    return canAsk()
  }

  /** The client, loaded at its first use so that help is quick. */
  async client(): Promise<Ganglion> {
    if (this.#client) return this.#client
    const { url, brain, apiKey } = this.settings
    if (!apiKey)
      throw new CliError(EXIT.denied, `No key for ${url}. Run "ganglion login --url ${url}", or set GANGLION_API_KEY`)
    const { Ganglion } = await import('@ganglion/client')
    const timeout = this.options.timeout ? this.options.timeout * 1000 : undefined
    const debug = this.options.debug ? { fetch: logged } : {}
    this.#client = new Ganglion({
      baseUrl: url,
      brain,
      apiKey,
      timeout,
      ...debug,
      headers: { 'user-agent': 'ganglion-cli' },
    })
    if (!this.options.quiet && isCheckDue())
      this.#stopCheck = (await import('./version-check.ts')).checkVersion(this.#client)
    return this.#client
  }

  /** Says something to a person; nothing with --quiet. */
  say(text: string): void {
    if (!this.options.quiet) note(text)
  }

  /** Prints the result of a command: one JSON document, or a text. */
  print<T>(value: T, toText: (value: T) => string): Promise<void> {
    if (this.format === 'lines') return writeLine(value)
    return this.format === 'json' ? writeJson(value) : write(endLine(toText(value)))
  }

  /** Prints what the service gave: JSON for people too. */
  show(value: unknown): Promise<void> {
    return this.print(value, reply => (typeof reply === 'string' ? reply : JSON.stringify(reply ?? null, null, 2)))
  }

  /** Resolves with --yes, or when the person confirms. Throws where no person can be asked. */
  async confirm(question: string): Promise<void> {
    if (this.options.yes) return
    if (!this.canAsk) throw usageError(`Confirm with --yes: ${question}`)
    const prompt = openPrompt()
    const reply = await prompt.ask(`${question}\n[y/N] `).finally(() => prompt.close())
    if (!/^y(es)?$/i.test(reply.trim())) throw new CliError(EXIT.error, 'Nothing was changed')
  }

  /** Prints elements: a JSON array, a JSON line each, or a table. */
  async printAll<T>(list: List<T>, columns: Column<T>[], { all, limit, keep }: PrintOptions<T>): Promise<void> {
    const max = all ? Infinity : (limit ?? DEFAULT_LIMIT)
    const items: T[] = []
    for await (const item of list) {
      if (keep && !keep(item)) continue
      if (this.format === 'lines') await writeLine(item)
      if (items.push(item) >= max) break
    }
    if (this.format === 'lines') return
    if (this.format === 'json') return writeJson(items)
    await write(renderTable(items, columns))
    const { total } = await list
    if (total > items.length && !keep) this.say(`${items.length} of ${total}; --all shows all`)
    if (items.length === 0) this.say('None')
  }

  /** Ends what goes on beside the command. */
  close(): void {
    this.#stopCheck?.()
  }
}

/** At a terminal, once a day. */
function isCheckDue(): boolean {
  if (!process.stderr.isTTY || ['CI', 'NO_UPDATE_NOTIFIER', 'GANGLION_NO_UPDATE_CHECK'].some(isSet)) return false
  const checked = statSync(checkFile(), { throwIfNoEntry: false })
  return !checked || Date.now() - checked.mtimeMs > DAY_MS
}

const DAY_MS = 86_400_000
const DEFAULT_LIMIT = 50

export interface ListOptions {
  all?: boolean
  limit?: number
}

const endLine = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** A request of --debug: no headers, which hold the key. */
const logged: typeof fetch = async (input, init) => {
  const began = performance.now()
  const address = typeof input === 'string' || input instanceof URL ? String(input) : input.url
  const response = await fetch(input, init)
  note(
    `> ${init?.method ?? 'GET'} ${address} ${response.status} ${Math.round(performance.now() - began)} ms ${response.headers.get('x-request-id') ?? ''}`,
  )
  return response
}

export interface CommandSpec<O extends object> {
  /** With its arguments: `get <id>`. */
  name: string
  /** Absent for commands of the program, whose texts are beside their names. */
  summary?: string
  /** Without `ganglion`. If absent, the command with a sample of each argument. */
  example?: string
  options?: Option[]
  run: (context: Context, args: string[], options: O) => Promise<void>
}

/** Adds a command to a group. Each takes the global options and shows an example in its help. */
export function addCommand<O extends object = object>(parent: Command, spec: CommandSpec<O>): void {
  const command = parent.command(spec.name).description(spec.summary ?? '')
  const ownOptions = spec.options ?? []
  for (const option of ownOptions) command.addOption(option)
  const usedFlags = new Set(ownOptions.map(option => option.long))
  for (const option of globalOptions()) if (!usedFlags.has(option.long)) command.addOption(option)
  const { example = buildExample(parent, spec.name) } = spec
  command.addHelpText('after', `\nExample:\n${example.split('\n').map(renderExample).join('')}`)
  command.action(async (...actionArgs: unknown[]) => {
    const options = command.opts<O & GlobalOptions>()
    const args = actionArgs
      .slice(0, -2)
      .map(arg => (Array.isArray(arg) ? arg : arg === undefined ? [] : [arg])) as string[][]
    const context = new Context(options)
    await spec.run(context, args.flat(), options).finally(() => context.close())
  })
}

/** Arguments in examples; of others an id. */
const SAMPLES: Record<string, string> = {
  '<job>': 'invoice-approval-0192f0c4',
  '<trigger>': 'nightly-report',
  '<document>': 'parental-leave',
}
const SAMPLE_ID = '4d1c2f0e'

function buildExample(parent: Command, name: string): string {
  const groups: string[] = []
  for (let group: Command | null = parent; group?.parent; group = group.parent) groups.unshift(group.name())
  return [...groups, name.replaceAll(/<\w+>/g, argument => SAMPLES[argument] ?? SAMPLE_ID)].join(' ')
}

const renderExample = (line: string, i: number) =>
  `  ${i > 0 && line.includes('ganglion ') ? '' : 'ganglion '}${line}\n`

export function addCommands(parent: Command, specs: CommandSpec<never>[]): void {
  for (const spec of specs) addCommand(parent, spec)
}

/** Adds a group of commands. */
export function addGroup(parent: Command, name: string, specs: CommandSpec<never>[]): Command {
  const group = parent.command(name)
  addCommands(group, specs)
  return group
}

const globalOptions = () => [
  new Option('--profile <name>', 'the profile to use').helpGroup('Global options:'),
  new Option('--url <url>', 'the address of the service').helpGroup('Global options:'),
  new Option('--brain <id>', 'the brain to work in').helpGroup('Global options:'),
  new Option('--json', 'print JSON; --json=lines prints a line for each element or event').helpGroup('Global options:'),
  new Option('--json-lines').hideHelp(),
  new Option('--quiet', 'print nothing but the data').helpGroup('Global options:'),
  new Option('--no-input', 'ask nothing').helpGroup('Global options:'),
  new Option('--yes', 'confirm what this command changes; it never answers for a person').helpGroup('Global options:'),
  new Option('--no-color', 'no colours').helpGroup('Global options:'),
  new Option('--debug', 'show the requests').helpGroup('Global options:'),
  new Option('--timeout <seconds>', 'give up after this time').argParser(parseCount).helpGroup('Global options:'),
]

/** Parses a whole number above 0. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.')
  return Number(text)
}

/** An option that must be given. */
export const required = (flags: string, summary: string): Option => new Option(flags, summary).makeOptionMandatory()

export const option = (flags: string, summary: string): Option => new Option(flags, summary)

/** An option that may be given several times. */
export const repeated = (flags: string, summary: string): Option =>
  new Option(flags, summary).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])

/** Splits `a,b`; undefined for an option that is not given. */
export const splitList = (text: string | undefined): string[] | undefined => text?.split(',').map(part => part.trim())

/** The input of a run, also as `--data`. */
export const inputOptions = (summary: string): Option[] => [
  new Option('--input <json>', `${summary}: JSON, @file, or - for stdin`),
  new Option('--data <json>', 'the same as --input').conflicts('input').hideHelp(),
]

/** Reads `--input`, or `--data`; undefined for none. */
export async function readInput({ input, data = input }: { input?: string; data?: string }): Promise<unknown> {
  return data === undefined ? undefined : readJson(data)
}

/** `--limit` and `--all` of lists. */
export const listOptions = (): Option[] => [
  new Option('--limit <number>', 'how many to show; 50 if absent').argParser(parseCount),
  new Option('--all', 'show all'),
]

/** The size of the pages of a list: as small as what is shown, and the largest for `--all`. */
export const getPageSize = ({ all, limit = 50 }: ListOptions): number => (all ? 200 : Math.min(limit, 200))

/** Reads a value that is given as it is, as `@file`, or as `-` for stdin. */
export async function readValue(source: string): Promise<string> {
  if (source === '-') return (await import('./terminal.ts')).readStdin()
  if (!source.startsWith('@')) return source
  const { readFileSync } = await import('node:fs')
  try {
    return readFileSync(source.slice(1), 'utf8')
  } catch (error) {
    throw usageError(`${source.slice(1)} cannot be read: ${(error as Error).message}`)
  }
}

/** Reads a secret, which others could read among the arguments of a process: `@file` or `-` only. */
export async function readSecret(source: string): Promise<string> {
  if (source !== '-' && !source.startsWith('@')) throw usageError('Give a secret as @file, or as - for stdin')
  return (await readValue(source)).trim()
}

/** A value parsed as JSON. */
export async function readJson(source: string): Promise<unknown> {
  const text = await readValue(source)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageError(`This is not JSON: ${(error as Error).message}`)
  }
}
