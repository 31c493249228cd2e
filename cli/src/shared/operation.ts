import type { ApiPromise, Body, Data, Ganglion, Item, OperationId, Query, RequestOptions } from '@ganglion/client'
import type { Option } from 'commander'
import { OPERATIONS } from '../generated/operations.ts'
import {
  type CommandSpec,
  type Context,
  type GlobalOptions,
  type List,
  listOptions,
  type ListOptions,
  option,
  readJson,
  splitList,
  getPageSize,
} from './command.ts'
import { usageError } from './exit.ts'
import type { Column } from './output.ts'

/** What a command knows of the operation that it calls. */
export interface CommandOperation {
  summary: string
  /** The number of parameters in the path. */
  path: number
  /** What a call takes beside the parameters of the path. */
  takes?: 'body' | 'query'
  isPage?: true
  /** The fields of the body, or the parameters of the query. */
  fields: Record<string, OperationField>
}

export interface OperationField {
  type: 'text' | 'number' | 'flag' | 'list' | 'json'
  description?: string
  choices?: string[]
  isRequired?: true
}

type NamesOf<T> = T extends unknown ? (string extends keyof T ? never : keyof T & string) : never

/** A field of the body, or a parameter of the query. */
type FieldOf<Id extends OperationId> = NamesOf<Body<Id>> | NamesOf<Query<Id>>

/** A column named as the field it shows, a title with the name of the field, or a title with a function. */
type ColumnSpec<T> = (keyof T & string) | [title: string, field: (keyof T & string) | ((item: T) => unknown)]

type FieldOptions<Id extends OperationId> = Partial<Record<FieldOf<Id>, string | Option>>

interface OperationSpec<Id extends OperationId> {
  /** With its arguments: those of the path first, then fields with the names of the arguments. */
  name: string
  /** Without `ganglion`. If absent, the command with a sample of each argument. */
  example?: string
  /** The summary of the operation if absent. */
  summary?: string
  /** By the field that they set: flags, whose description and form are the field's, or an option with its own. */
  options?: FieldOptions<Id>
  /** Takes `--idempotency-key`. */
  hasKey?: true
  /** Further options, for `fields`. */
  further?: Option[]
  /** Fields that do not follow from an option each. */
  fields?: (options: never, args: string[]) => object | Promise<object>
  /** The arguments of the operation, where those of the command are others. */
  args?: (given: string[]) => string[]
  /** The client; that of the API key if absent. */
  client?: (context: Context) => Promise<Ganglion>
  /** What a person confirms before the call; undefined for nothing. */
  confirm?: (args: string[], options: Record<string, unknown>) => string | undefined
  /** Said to a person beside the result. */
  say?: (data: Data<Id>) => string | undefined
  /** Prints a list as a table. */
  columns?: ColumnSpec<Item<Id>>[]
  /** Which elements of a list are printed; undefined for all. */
  keep?: (options: never) => ((item: Item<Id>) => boolean) | undefined
  /** Prints the result as a text. Without any of these four it is printed as JSON. */
  text?: (data: Data<Id>, args: string[]) => string
  /** Prints that something named by the last argument is gone, such as `deleted`. */
  done?: string
  print?: (context: Context, data: Data<Id>, args: string[]) => Promise<void>
}

const MAX_PAGE = 200

type Call = (...args: unknown[]) => ApiPromise<unknown>

/** A command that calls one operation and prints its result. What the spec does not say follows from the operation. */
export function operation<Id extends OperationId>(id: Id, spec: OperationSpec<NoInfer<Id>>): CommandSpec<never> {
  const { summary, path, takes, isPage } = findOperation(id)
  const { name, example, columns, say, confirm, further = [], client = context => context.client() } = spec
  const own = deriveOptions(id, spec.options ?? {})
  const names = [...name.matchAll(/[<[](\w+)[\]>]/g)].map(([, word = '']) => word)
  return {
    name,
    summary: spec.summary ?? summary,
    example,
    options: [
      ...own.options,
      ...further,
      ...(spec.hasKey ? [keyOption()] : []),
      ...(isPage && columns ? listOptions() : []),
    ],
    async run(context, given, options: GlobalOptions & ListOptions & Record<string, unknown>) {
      const opened = await client(context)
      const question = confirm?.(given, options)
      if (question !== undefined) await context.confirm(question)
      const args = spec.args?.(given) ?? given
      const rest = args.slice(path).map((value, i, { length }) => [names[names.length - length + i], value])
      const keep = spec.keep?.(options as never)
      const payload: object = {
        ...Object.fromEntries(rest),
        ...(await own.read(options)),
        ...(await spec.fields?.(options as never, given)),
        ...(isPage && columns && { limit: keep ? MAX_PAGE : getPageSize(options) }),
      }
      const call = findCall(opened, id)
      const request: RequestOptions = { idempotencyKey: options['idempotencyKey'] as string | undefined }
      const reply = call(...args.slice(0, path), ...(takes ? [payload] : []), request)
      if (isPage && columns)
        return context.printAll(reply as unknown as List<Item<Id>>, columns.map(toColumn), { ...options, keep })
      const data = (await reply) as Data<Id>
      const note = say?.(data)
      if (note !== undefined) context.say(note)
      return print(context, spec, data, given)
    },
  }
}

function print<Id extends OperationId>(
  context: Context,
  { text, done, print }: OperationSpec<Id>,
  data: Data<Id>,
  args: string[],
): Promise<void> {
  if (print) return print(context, data, args)
  if (text) return context.print(data, one => text(one, args))
  const id = args.at(-1)
  return done === undefined ? context.show(data) : context.print({ id, [done]: true }, () => `${done} ${id}`)
}

/** Makes the options of fields of an operation, and reads the fields that options set. */
export function deriveOptions<Id extends OperationId>(id: Id, given: FieldOptions<NoInfer<Id>>) {
  const { takes, fields } = findOperation(id)
  const own = Object.entries(given as Record<string, string | Option>).map(
    ([name, one]) => [name, fields[name], toOption(one, fields[name])] as const,
  )
  return {
    options: own.map(([, , option]) => option),
    read: async (options: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const read: Record<string, unknown> = {}
      for (const [name, field, option] of own)
        read[name] = await readField(options[option.attributeName()], takes, field, option)
      return read
    },
  }
}

function findOperation(id: string): CommandOperation {
  const operation = OPERATIONS[id]
  if (!operation) throw new Error(`${id} is not in generated/operations.ts: run npm run client:generate`)
  return operation
}

/** The method of the client. */
function findCall(client: Ganglion, id: string): Call {
  const [noun = '', verb = ''] = id.split('.')
  const methods = client[noun as keyof Ganglion] as unknown as Record<string, Call>
  const call = methods[verb]
  if (!call) throw new Error(`The client has no ${id}`)
  return call.bind(methods)
}

function toOption(given: string | Option, field: OperationField | undefined): Option {
  const made = typeof given === 'string' ? option(given, field?.description ?? '') : given
  if (field?.choices && !made.parseArg) made.choices(field.choices)
  return field?.isRequired ? made.makeOptionMandatory() : made
}

export const keyOption = (): Option =>
  option('--idempotency-key <key>', 'acts once however often the command is repeated with it')

async function readField(
  value: unknown,
  takes: CommandOperation['takes'],
  field: OperationField | undefined,
  { negate }: Option,
): Promise<unknown> {
  // Commander sets what has a flag to turn it off.
  if (value === undefined || (negate && value === true)) return undefined
  if (field?.type === 'flag') return takes === 'query' ? `${value === true}` : value
  if (typeof value !== 'string') return value
  if (field?.type === 'number') return toNumber(value)
  if (field?.type === 'list') return splitList(value)
  return field?.type === 'json' ? readJson(value) : value
}

function toNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw usageError(`${text} is not a number`)
  return number
}

function toColumn<T>(column: ColumnSpec<T>): Column<T> {
  const [title, field]: Exclude<ColumnSpec<T>, string> = typeof column === 'string' ? [column, column] : column
  return [title, typeof field === 'function' ? field : item => item[field]]
}
