import { statSync } from 'node:fs'
import type { Ganglion } from '@ganglion/client'
import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { EXIT, CliError, usageError } from './exit.ts'
import { type Column, type Format, renderTable, write, writeJson, writeLine } from './output.ts'
import { checkFile, type Overrides, resolveSettings, type Settings } from './settings.ts'
import { canAsk, isSet, note, openPrompt } from './terminal.ts'

/** Options that every command accepts. */
export interface GlobalOptions extends Overrides {
  json?: boolean
  jsonLines?: boolean
  quiet?: boolean
  yes?: boolean
  debug?: boolean
  timeout?: number
}

/** A list returned by the client. */
export type List<T> = AsyncIterable<T> & PromiseLike<{ total: number }>

interface PrintOptions<T> extends ListOptions {
  /** Selects the elements to print. */
  keep?: (item: T) => boolean
}

/** A command's settings, client and output. */
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

  /** Whether the command can prompt a person. */
  get canAsk(): boolean {
    return canAsk()
  }

  /** Returns the client. It is loaded on first use, so that help is fast. */
  async client(): Promise<Ganglion> {
    if (this.#client) return this.#client
    const { url, brain, apiKey } = this.settings
    if (!apiKey)
      throw new CliError(
        EXIT.denied,
        `No API key for ${url}. Run "ganglion login --url ${url}" or set GANGLION_API_KEY`,
      )
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

  /** Prints a message for people, unless --quiet is set. */
  say(text: string): void {
    if (!this.options.quiet) note(text)
  }

  /** Prints a command's result, as one JSON document or as text. */
  print<T>(value: T, toText: (value: T) => string): Promise<void> {
    if (this.format === 'lines') return writeLine(value)
    return this.format === 'json' ? writeJson(value) : write(endLine(toText(value)))
  }

  /** Prints a service response as JSON, also for people. */
  show(value: unknown): Promise<void> {
    return this.print(value, reply => (typeof reply === 'string' ? reply : JSON.stringify(reply ?? null, null, 2)))
  }

  /** Resolves if --yes is set, or after the person confirms. Throws if there is no terminal. */
  async confirm(question: string): Promise<void> {
    if (this.options.yes) return
    if (!this.canAsk) throw usageError(`Use --yes to confirm: ${question}`)
    const prompt = openPrompt()
    const reply = await prompt.ask(`${question}\n[y/N] `).finally(() => prompt.close())
    if (!/^y(es)?$/i.test(reply.trim())) throw new CliError(EXIT.error, 'Cancelled. Nothing was changed')
  }

  /** Prints elements as a JSON array, as JSON lines, or as a table. */
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
    if (total > items.length && !keep) this.say(`${items.length} of ${total} shown. Use --all to show all`)
    if (items.length === 0) this.say('None')
  }

  /** Ends the command's background work. */
  close(): void {
    this.#stopCheck?.()
  }
}

/** Returns whether a version check is due: once a day, and only on a terminal. */
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

/** Logs requests for --debug. Headers are omitted because they contain the key. */
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
  /** Name with arguments: `get <id>`. */
  name: string
  /** Absent for top-level commands, whose summary is next to their name. */
  summary?: string
  /** Without `ganglion`. Default: the command with a sample value for each argument. */
  example?: string
  options?: Option[]
  run: (context: Context, args: string[], options: O) => Promise<void>
}

/** Adds a command to a group, with the global options and an example in its help. */
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

/** Sample arguments for examples. For any other argument, an id is used. */
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
  new Option('--profile <name>', 'profile to use').helpGroup('Global options:'),
  new Option('--url <url>', 'service address').helpGroup('Global options:'),
  new Option('--brain <id>', 'brain (project) to work in').helpGroup('Global options:'),
  new Option('--json', 'print JSON; --json=lines prints one line per element or event').helpGroup('Global options:'),
  new Option('--json-lines').hideHelp(),
  new Option('--quiet', 'print only data').helpGroup('Global options:'),
  new Option('--no-input', 'never prompt').helpGroup('Global options:'),
  new Option('--yes', 'confirm changes; does not answer tasks').helpGroup('Global options:'),
  new Option('--no-color', 'disable colors').helpGroup('Global options:'),
  new Option('--debug', 'show requests').helpGroup('Global options:'),
  new Option('--timeout <seconds>', 'time limit').argParser(parseCount).helpGroup('Global options:'),
]

/** Parses a whole number above 0. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Enter a whole number greater than 0.')
  return Number(text)
}

/** Creates a required option. */
export const required = (flags: string, summary: string): Option => new Option(flags, summary).makeOptionMandatory()

export const option = (flags: string, summary: string): Option => new Option(flags, summary)

/** Creates a repeatable option. */
export const repeated = (flags: string, summary: string): Option =>
  new Option(flags, summary).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])

/** Splits `a,b`. Returns undefined if the option is omitted. */
export const splitList = (text: string | undefined): string[] | undefined => text?.split(',').map(part => part.trim())

/** Options for the input of a run: `--input` and its alias `--data`. */
export const inputOptions = (summary: string): Option[] => [
  new Option('--input <json>', `${summary}: JSON, @file, or - for stdin`),
  new Option('--data <json>', 'same as --input').conflicts('input').hideHelp(),
]

/** Reads `--input` or `--data`. Returns undefined if both are omitted. */
export async function readInput({ input, data = input }: { input?: string; data?: string }): Promise<unknown> {
  return data === undefined ? undefined : readJson(data)
}

/** Options for list commands: `--limit` and `--all`. */
export const listOptions = (): Option[] => [
  new Option('--limit <number>', 'number of entries to show; default: 50').argParser(parseCount),
  new Option('--all', 'show all entries'),
]

/** Returns a list's page size: at most the number of entries to show, or the maximum page size with `--all`. */
export const getPageSize = ({ all, limit = 50 }: ListOptions): number => (all ? 200 : Math.min(limit, 200))

/** Returns a literal value, the text of the file for `@file`, or stdin for `-`. */
export async function readValue(source: string): Promise<string> {
  if (source === '-') return (await import('./terminal.ts')).readStdin()
  if (!source.startsWith('@')) return source
  const { readFileSync } = await import('node:fs')
  try {
    return readFileSync(source.slice(1), 'utf8')
  } catch (error) {
    throw usageError(`Cannot read ${source.slice(1)}: ${(error as Error).message}`)
  }
}

/** Reads a secret, but only from `@file` or `-`, because other users can see process arguments. */
export async function readSecret(source: string): Promise<string> {
  if (source !== '-' && !source.startsWith('@')) throw usageError('Pass the secret as @file, or as - for stdin')
  return (await readValue(source)).trim()
}

/** Reads a value and parses it as JSON. */
export async function readJson(source: string): Promise<unknown> {
  const text = await readValue(source)
  try {
    return JSON.parse(text)
  } catch (error) {
    const isBareText = text === source && !/^\s*[[{"]/.test(text)
    const hint = isBareText ? `. Text needs its own quotes: '${JSON.stringify(text)}'` : ''
    throw usageError(`Invalid JSON: ${(error as Error).message}${hint}`)
  }
}
