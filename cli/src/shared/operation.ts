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

/** The data about an operation that a command needs. */
export interface CommandOperation {
  summary: string
  /** Number of path parameters. */
  path: number
  /** Arguments that a call accepts in addition to path parameters. */
  takes?: 'body' | 'query'
  isPage?: true
  /** Fields of the body, or query parameters. */
  fields: Record<string, OperationField>
}

export interface OperationField {
  type: 'text' | 'number' | 'flag' | 'list' | 'json'
  description?: string
  choices?: string[]
  isRequired?: true
}

type NamesOf<T> = T extends unknown ? (string extends keyof T ? never : keyof T & string) : never

/** A body field or query parameter. */
type FieldOf<Id extends OperationId> = NamesOf<Body<Id>> | NamesOf<Query<Id>>

/** A column named after its field, a title with a field name, or a title with a function. */
type ColumnSpec<T> = (keyof T & string) | [title: string, field: (keyof T & string) | ((item: T) => unknown)]

type FieldOptions<Id extends OperationId> = Partial<Record<FieldOf<Id>, string | Option>>

interface OperationSpec<Id extends OperationId> {
  /** Name with arguments: first the path parameters, then arguments named after fields. */
  name: string
  /** Without `ganglion`. Default: the command with a sample value for each argument. */
  example?: string
  /** Default: the summary of the operation. */
  summary?: string
  /** Options by field. A flag alone gets the field's description and type. An option is used as it is. */
  options?: FieldOptions<Id>
  /** Accepts `--idempotency-key`. */
  hasKey?: true
  /** Additional options, for use in `fields`. */
  further?: Option[]
  /** Returns fields that don't map to a single option. */
  fields?: (options: never, args: string[]) => object | Promise<object>
  /** Returns the operation's arguments, if they differ from the command's arguments. */
  args?: (given: string[]) => string[]
  /** Opens the client. Default: a client with the API key. */
  client?: (context: Context) => Promise<Ganglion>
  /** Returns the question to confirm before the call, or undefined if no confirmation is needed. */
  confirm?: (args: string[], options: Record<string, unknown>) => string | undefined
  /** Returns a message to print in addition to the result. */
  say?: (data: Data<Id>) => string | undefined
  /** Prints a list as a table. */
  columns?: ColumnSpec<Item<Id>>[]
  /** Returns a filter for list elements, or undefined to keep all elements. */
  keep?: (options: never) => ((item: Item<Id>) => boolean) | undefined
  /** Converts the result to text. Without this function and the previous three, the result is printed as JSON. */
  text?: (data: Data<Id>, args: string[]) => string
  /** Past participle for a message about the last argument, such as `deleted`. */
  done?: string
  print?: (context: Context, data: Data<Id>, args: string[]) => Promise<void>
}

const MAX_PAGE = 200

type Call = (...args: unknown[]) => ApiPromise<unknown>

/** Creates a command that calls one operation and prints its result. Defaults come from the operation. */
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

/** Creates options for the fields of an operation, and reads their values. */
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
  if (!operation) throw new Error(`${id} is missing in generated/operations.ts. Run npm run client:generate`)
  return operation
}

/** Finds the client method of an operation. */
function findCall(client: Ganglion, id: string): Call {
  const [noun = '', verb = ''] = id.split('.')
  const methods = client[noun as keyof Ganglion] as unknown as Record<string, Call>
  const call = methods[verb]
  if (!call) throw new Error(`The client has no ${id}`)
  return call.bind(methods)
}

function toOption(given: string | Option, field: OperationField | undefined): Option {
  const result = typeof given === 'string' ? option(given, field?.description ?? '') : given
  if (field?.choices && !result.parseArg) result.choices(field.choices)
  return field?.isRequired ? result.makeOptionMandatory() : result
}

export const keyOption = (): Option =>
  option('--idempotency-key <key>', 'take effect only once, even if the command is repeated with the same key')

async function readField(
  value: unknown,
  takes: CommandOperation['takes'],
  field: OperationField | undefined,
  { negate }: Option,
): Promise<unknown> {
  // Commander sets a default value for options with a negated flag, so ignore that value.
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
